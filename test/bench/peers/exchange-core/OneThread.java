import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.api.ApiPlaceOrder;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.ExchangeConfiguration;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.common.config.PerformanceConfiguration;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.processors.MatchingEngineRouter;
import exchange.core2.core.processors.RiskEngine;
import exchange.core2.core.processors.SharedPool;
import exchange.core2.core.processors.UserProfileService;
import exchange.core2.core.processors.journaling.DummySerializationProcessor;

/**
 * Its risk and matching engines, called one after the other by one thread on one command object that is filled anew: what
 * the stages of the ring do, without the ring.
 */
final class OneThread extends Session {
    private final RiskEngine risk;
    private final MatchingEngineRouter matching;
    private final OrderCommand command = new OrderCommand();

    OneThread(Workload workload) {
        super(workload);
        ExchangeConfiguration configuration = configuration(PerformanceConfiguration.DEFAULT);
        DummySerializationProcessor nowhere = DummySerializationProcessor.INSTANCE;
        SharedPool pool = new SharedPool(64, 16, 1);
        risk = new RiskEngine(0, 1, nowhere, pool, configuration);
        matching = new MatchingEngineRouter(0, 1, nowhere, OrderBookDirectImpl::new, pool, configuration);
        for (int symbol = 1; symbol <= workload.assets; symbol += 1) {
            risk.getSymbolSpecificationProvider().addSymbol(symbol(symbol));
            OrderBookDirectImpl book = new OrderBookDirectImpl(
                    symbol(symbol),
                    matching.getObjectsPool(),
                    matching.getEventsHelper(),
                    LoggingConfiguration.DEFAULT);
            matching.getOrderBooks().put(symbol, book);
        }
        UserProfileService users = risk.getUserProfileService();
        for (int user = 1; user <= workload.accounts; user += 1) {
            users.addEmptyUserProfile(user);
            users.balanceAdjustment(user, QUOTE_CURRENCY, AMPLE, 1);
            for (int currency = 1; currency <= workload.assets; currency += 1)
                users.balanceAdjustment(user, currency, AMPLE, 1 + currency);
        }
    }

    @Override
    void play(int from, int to) {
        for (int at = from; at < to; at += 1) {
            command.orderId = workload.order[at];
            command.symbol = workload.asset[at] + 1;
            command.uid = workload.account[at] + 1;
            command.timestamp = at;
            switch (workload.op[at]) {
                case Workload.CANCEL -> command.command = OrderCommandType.CANCEL_ORDER;
                case Workload.MOVE -> {
                    command.command = OrderCommandType.MOVE_ORDER;
                    command.price = workload.priceTicks[at];
                }
                default -> {
                    command.command = OrderCommandType.PLACE_ORDER;
                    command.action = action(at);
                    command.orderType = type(at);
                    command.price = priceTicks(at);
                    command.reserveBidPrice = workload.highestTicks;
                    command.size = workload.quantitySteps[at];
                }
            }
            execute();
        }
    }

    private void execute() {
        command.resultCode = CommandResultCode.NEW;
        command.matcherEvent = null;
        command.marketData = null;
        risk.preProcessCommand(0, command);
        matching.processOrder(0, command);
        risk.handlerRiskRelease(0, command);
        tally.take(command);
    }

    @Override
    L2MarketData depth(int symbol) {
        return matching.getOrderBooks().get(symbol).getL2MarketDataSnapshot();
    }

    @Override
    OrderCommand execute(ApiPlaceOrder order) {
        command.command = OrderCommandType.PLACE_ORDER;
        command.orderId = order.orderId;
        command.symbol = order.symbol;
        command.uid = order.uid;
        command.action = order.action;
        command.orderType = order.orderType;
        command.price = order.price;
        command.reserveBidPrice = order.reservePrice;
        command.size = order.size;
        execute();
        return command;
    }

    @Override
    public void close() {}
}
