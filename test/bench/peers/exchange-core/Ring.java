import exchange.core2.core.ExchangeApi;
import exchange.core2.core.ExchangeCore;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.CoreWaitStrategy;
import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.api.ApiAddUser;
import exchange.core2.core.common.api.ApiAdjustUserBalance;
import exchange.core2.core.common.api.ApiCommand;
import exchange.core2.core.common.api.ApiPlaceOrder;
import exchange.core2.core.common.api.binary.BatchAddSymbolsCommand;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.config.PerformanceConfiguration;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The exchange as it is meant: this thread puts commands into the ring, and one risk and one matching engine, grouping and
 * results have a thread each. Sizes are those of its configuration for throughput. The threads yield while they wait:
 * where they are more than the processors, blocking took twice as much of these, and spinning three times.
 */
final class Ring extends Session {
    private final ExchangeCore core;
    private final ExchangeApi api;
    /** Results still to come until the latch opens; the ring's own order makes both seen by the thread of results. */
    private int awaited;
    private CountDownLatch done = new CountDownLatch(1);

    Ring(Workload workload) throws Exception {
        super(workload);
        PerformanceConfiguration performance = PerformanceConfiguration.throughputPerformanceBuilder()
                .matchingEnginesNum(1)
                .riskEnginesNum(1)
                .threadFactory(Ring::thread)
                .waitStrategy(CoreWaitStrategy.YIELDING)
                .orderBookFactory(OrderBookDirectImpl::new)
                .build();
        core = ExchangeCore.builder()
                .resultsConsumer((command, sequence) -> take(command))
                .exchangeConfiguration(configuration(performance))
                .build();
        core.startup();
        api = core.getApi();
        IntObjectHashMap<CoreSymbolSpecification> symbols = new IntObjectHashMap<>();
        for (int symbol = 1; symbol <= workload.assets; symbol += 1) symbols.put(symbol, symbol(symbol));
        CommandResultCode added = api.submitBinaryDataAsync(new BatchAddSymbolsCommand(symbols)).get();
        if (added != CommandResultCode.SUCCESS) throw new IllegalStateException("symbols: " + added);
        List<ApiCommand> commands = new ArrayList<>();
        for (int user = 1; user <= workload.accounts; user += 1) {
            commands.add(ApiAddUser.builder().uid(user).build());
            commands.add(pay(user, QUOTE_CURRENCY, 1));
            for (int currency = 1; currency <= workload.assets; currency += 1)
                commands.add(pay(user, currency, 1 + currency));
        }
        api.submitCommandsSync(commands);
    }

    /** The threads of a ring that fails do not keep the process. */
    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    private static ApiCommand pay(int user, int currency, int transaction) {
        return ApiAdjustUserBalance.builder()
                .uid(user)
                .currency(currency)
                .amount(AMPLE)
                .transactionId(transaction)
                .build();
    }

    private void take(OrderCommand command) {
        if (awaited == 0) return;
        tally.take(command);
        awaited -= 1;
        if (awaited == 0) done.countDown();
    }

    @Override
    void play(int from, int to) throws InterruptedException {
        done = new CountDownLatch(1);
        awaited = to - from;
        for (int at = from; at < to; at += 1) {
            int symbol = workload.asset[at] + 1;
            int user = workload.account[at] + 1;
            int order = workload.order[at];
            switch (workload.op[at]) {
                case Workload.CANCEL -> api.cancelOrder(0, 0, at, order, symbol, user);
                case Workload.MOVE -> api.moveOrder(0, 0, at, workload.priceTicks[at], order, symbol, user);
                default -> api.placeNewOrder(
                        0,
                        0,
                        at,
                        order,
                        0,
                        priceTicks(at),
                        workload.highestTicks,
                        workload.quantitySteps[at],
                        action(at),
                        type(at),
                        symbol,
                        user);
            }
        }
        done.await();
    }

    @Override
    L2MarketData depth(int symbol) throws Exception {
        return api.requestOrderBookAsync(symbol, Integer.MAX_VALUE).get();
    }

    @Override
    OrderCommand execute(ApiPlaceOrder order) throws Exception {
        return api.submitCommandAsyncFullResponse(order).get();
    }

    @Override
    public void close() {
        core.shutdown();
    }
}
