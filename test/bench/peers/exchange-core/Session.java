import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.api.ApiPlaceOrder;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.config.ExchangeConfiguration;
import exchange.core2.core.common.config.OrdersProcessingConfiguration;
import exchange.core2.core.common.config.OrdersProcessingConfiguration.MarginTradingMode;
import exchange.core2.core.common.config.OrdersProcessingConfiguration.RiskProcessingMode;
import exchange.core2.core.common.config.PerformanceConfiguration;

/**
 * One exchange with a workload: its assets are the symbols from 1, each a currency of that number, and its accounts the
 * users from 1. Balances are ample and every check is on, as on the venue that our engine plays on.
 */
abstract class Session implements AutoCloseable {
    static final int QUOTE_CURRENCY = 100;
    static final long AMPLE = 1_000_000_000_000_000L;
    private static final int TAKER_OF_SWEEPS = 1;
    private static final int HASH_START = 0x811c9dc5;

    final Workload workload;
    final Tally tally = new Tally();

    Session(Workload workload) {
        this.workload = workload;
    }

    /** Plays the commands [from, to); this is what is timed. */
    abstract void play(int from, int to) throws Exception;

    abstract L2MarketData depth(int symbol) throws Exception;

    abstract OrderCommand execute(ApiPlaceOrder command) throws Exception;

    /** What a consumer of results does at least: it looks at each, and at each fill. */
    static final class Tally {
        private long fills;
        private OrderCommand refused;

        void take(OrderCommand command) {
            if (command.resultCode != CommandResultCode.SUCCESS && refused == null) refused = command.copy();
            for (MatcherTradeEvent event = command.matcherEvent; event != null; event = event.nextEvent)
                if (event.eventType == MatcherEventType.TRADE) fills += 1;
        }

        void startTimed() {
            fills = 0;
        }
    }

    /** Amounts are ours: atoms of the quote currency a tick and step, and 0.1 % of 50,000.00 for the taker. */
    static CoreSymbolSpecification symbol(int symbol) {
        return CoreSymbolSpecification.builder()
                .symbolId(symbol)
                .type(SymbolType.CURRENCY_EXCHANGE_PAIR)
                .baseCurrency(symbol)
                .quoteCurrency(QUOTE_CURRENCY)
                .baseScaleK(10_000)
                .quoteScaleK(1)
                .takerFee(5_000)
                .makerFee(0)
                .build();
    }

    static ExchangeConfiguration configuration(PerformanceConfiguration performance) {
        return ExchangeConfiguration.defaultBuilder()
                .performanceCfg(performance)
                .ordersProcessingCfg(OrdersProcessingConfiguration.builder()
                        .riskProcessingMode(RiskProcessingMode.FULL_PER_CURRENCY)
                        .marginTradingMode(MarginTradingMode.MARGIN_TRADING_DISABLED)
                        .build())
                .build();
    }

    OrderAction action(int at) {
        return workload.side[at] == 0 ? OrderAction.BID : OrderAction.ASK;
    }

    /** It has no market orders: they are immediate ones at a price that reaches all. */
    OrderType type(int at) {
        return workload.op[at] == Workload.PLACE ? OrderType.GTC : OrderType.IOC;
    }

    long priceTicks(int at) {
        return workload.op[at] == Workload.MARKET ? anyPrice(action(at)) : workload.priceTicks[at];
    }

    private long anyPrice(OrderAction action) {
        return action == OrderAction.BID ? workload.highestTicks : workload.lowestTicks;
    }

    /** Throws unless fills, depth, and then the makers that a sweep of each side meets, are the reference book's. */
    void checkEnd() throws Exception {
        if (tally.refused != null) throw new IllegalStateException("refused: " + tally.refused);
        if (tally.fills != workload.fills)
            throw new IllegalStateException(tally.fills + " fills instead of " + workload.fills);
        if (depthChecksum() != workload.depthChecksum) throw new IllegalStateException("another depth");
        if (sweepChecksum() != workload.sweepChecksum) throw new IllegalStateException("another priority");
    }

    private int depthChecksum() throws Exception {
        int hash = HASH_START;
        for (int symbol = 1; symbol <= workload.assets; symbol += 1) {
            L2MarketData depth = depth(symbol);
            for (int level = 0; level < depth.bidSize; level += 1)
                hash = add(add(hash, depth.bidPrices[level]), depth.bidVolumes[level]);
            hash = add(hash, 0);
            for (int level = 0; level < depth.askSize; level += 1)
                hash = add(add(hash, depth.askPrices[level]), depth.askVolumes[level]);
            hash = add(hash, 1);
        }
        return hash;
    }

    private int sweepChecksum() throws Exception {
        int hash = HASH_START;
        for (int symbol = 1; symbol <= workload.assets; symbol += 1) {
            for (int side = 0; side < 2; side += 1) {
                OrderAction action = side == 0 ? OrderAction.ASK : OrderAction.BID;
                OrderCommand swept = execute(ApiPlaceOrder.builder()
                        .orderId(Integer.MAX_VALUE)
                        .uid(TAKER_OF_SWEEPS)
                        .symbol(symbol)
                        .action(action)
                        .orderType(OrderType.IOC)
                        .price(anyPrice(action))
                        .reservePrice(workload.highestTicks)
                        .size(workload.sweepSteps)
                        .build());
                for (MatcherTradeEvent event = swept.matcherEvent; event != null; event = event.nextEvent)
                    if (event.eventType == MatcherEventType.TRADE)
                        hash = add(add(hash, event.matchedOrderId), event.size);
                hash = add(hash, side);
            }
        }
        return hash;
    }

    /** The checksum of test/bench/checksum.ts. */
    private static int add(int hash, long value) {
        for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (int) (value >>> shift & 0xff)) * 0x01000193;
        return hash;
    }
}
