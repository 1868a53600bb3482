/* Makes every call of the generated client; the venue's log says how it was answered. */
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Calls {
  static void check(boolean holds, String what) {
    if (!holds) throw new IllegalStateException(what);
  }

  /** The body of a request that is not sent yet. */
  static byte[] bodyOf(HttpRequest request) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    request.bodyPublisher().ifPresent(publisher -> publisher.subscribe(new Flow.Subscriber<ByteBuffer>() {
      public void onSubscribe(Flow.Subscription subscription) { subscription.request(Long.MAX_VALUE); }
      public void onNext(ByteBuffer part) {
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        body.writeBytes(bytes);
      }
      public void onError(Throwable failure) { throw new IllegalStateException(failure); }
      public void onComplete() {}
    }));
    return body.toByteArray();
  }

  static void sign(HttpRequest.Builder builder) {
    try {
      HttpRequest request = builder.build();
      String query = request.uri().getRawQuery();
      String target = request.uri().getRawPath() + (query == null ? "" : "?" + query);
      String timestamp = String.valueOf(System.currentTimeMillis());
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(System.getenv("VENUE_SECRET").getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((timestamp + request.method() + target).getBytes(StandardCharsets.UTF_8));
      builder.setHeader("X-API-Key", System.getenv("VENUE_KEY"));
      builder.setHeader("X-API-Timestamp", timestamp);
      builder.setHeader("X-API-Signature", HexFormat.of().formatHex(mac.doFinal(bodyOf(request))));
    } catch (java.security.GeneralSecurityException failure) {
      throw new IllegalStateException(failure);
    }
  }

  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("VENUE_URL"));
    client.setRequestInterceptor(Calls::sign);

    MarketDataApi marketData = new MarketDataApi(client);
    double mid = marketData.getPrice("BTC").getMid();
    double low = Math.floor(mid * 0.9), high = Math.ceil(mid * 1.1);
    marketData.listPrices("BTC,ETH");
    marketData.getOrderBook("BTC", 5);
    marketData.listOrderBooks("BTC,ETH", 3);
    marketData.listTradingPairs();
    marketData.listStatistics("BTC");

    OrdersApi orders = new OrdersApi(client);
    CreateOrder market = new CreateOrder().side(Side.BUY).asset("BTC").quantity(0.1);
    Order bought = orders.createOrder(market.orderType(CreateOrder.OrderTypeEnum.MARKET));
    CreateOrder limit = new CreateOrder().side(Side.BUY).asset("BTC").quantity(0.1).price(low);
    CreateOrder named = new CreateOrder().side(Side.BUY).asset("BTC").quantity(0.1).price(low);
    Order resting = orders.createOrder(named.clientOrderId("my-java-order").metadata(Map.of("desk", "north")));
    check("north".equals(resting.getMetadata().get("desk")), "the metadata did not come back");
    orders.getOrder(resting.getOrderId());
    orders.getOrderByClientId("my-java-order");
    orders.amendOrder(resting.getOrderId(), new AmendOrder().quantity(0.2));
    orders.listOrders("open,partially_filled", null, null, 1, null);
    check(!orders.listOrderFills(bought.getOrderId()).getFills().isEmpty(), "the market order has no fill");
    orders.cancelOrder(resting.getOrderId());
    CreateOrder small = new CreateOrder().side(Side.BUY).asset("BTC").quantity(0.00001).price(low);
    BatchResult batch = orders.createOrders(new CreateOrdersRequest().orders(List.of(limit, small)));
    BatchResultResultsInner failed = batch.getResults().get(1);
    check(!failed.getSuccess() && failed.getError() != null && failed.getIndex() == 1, "the batch: " + batch);
    orders.cancelOrders(new CancelOrdersRequest().asset("BTC"));
    orders.cancelOrders(null);

    QuotesApi quotes = new QuotesApi(client);
    SubmitQuote sides = new SubmitQuote().asset("BTC").bidPrice(low).askPrice(high).bidSize(0.1).askSize(0.1);
    Quote quote = quotes.submitQuote(sides);
    quotes.listQuotes(null, null, 10, 0);
    quotes.getQuote(quote.getQuoteId());
    quotes.updateQuote(quote.getQuoteId(), new UpdateQuote().bidSize(0.2));
    quotes.updateQuotes(List.of(new UpdateQuotesRequestInner().quoteId(quote.getQuoteId()).askSize(0.2)));
    quotes.cancelQuote(quote.getQuoteId());
    quotes.cancelQuotes(new CancelQuotesRequest().asset("BTC"));
    quotes.cancelQuotes(null);

    PortfolioApi portfolio = new PortfolioApi(client);
    portfolio.listBalances("BTC,USD");
    portfolio.getBalance("BTC");
    portfolio.listPositions("BTC");
    portfolio.getPosition("BTC");
    portfolio.getExposure();
    portfolio.getAssetExposure("BTC");
    portfolio.getSummary();
    portfolio.getProfitAndLoss("7d");
    portfolio.listTransactions(null, null, null, 10);
    portfolio.listTrades(null, null, "2026-01-01", null, null, 10);
    portfolio.getAvailable("BTC");

    RiskApi risk = new RiskApi(client);
    OrderCandidate candidate = new OrderCandidate().side(Side.BUY).asset("BTC").quantity(0.1).price(low);
    risk.getLimits();
    risk.checkOrder(candidate);
    risk.getRiskExposure();
    risk.getAssetRiskExposure("BTC");
    risk.getUtilization();
    risk.getMaxQuantity(Side.BUY, "BTC", low);
    risk.getMetrics();
    risk.simulateOrder(candidate);
  }
}
