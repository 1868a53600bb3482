// Makes every call of the generated client; the venue's log says how it was answered.
package main

import (
	"context"
	"log"
	"math"
	"net/http"
	"os"

	"clients/signing"
	"clients/venue"
)

func must[T any](answer T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func to[T any](value T) *T { return &value }

func main() {
	configuration := venue.NewConfiguration()
	configuration.Servers = venue.ServerConfigurations{{URL: os.Getenv("VENUE_URL")}}
	configuration.HTTPClient = signing.Client()
	api := venue.NewAPIClient(configuration)
	at := context.Background()

	price := must(api.MarketDataAPI.GetPrice(at, "BTC").Execute())
	low, high := math.Floor(price.Mid*0.9), math.Ceil(price.Mid*1.1)
	must(api.MarketDataAPI.ListPrices(at).Assets("BTC,ETH").Execute())
	must(api.MarketDataAPI.GetOrderBook(at, "BTC").Depth(5).Execute())
	must(api.MarketDataAPI.ListOrderBooks(at).Assets("BTC,ETH").Depth(3).Execute())
	must(api.MarketDataAPI.ListTradingPairs(at).Execute())
	must(api.MarketDataAPI.ListStatistics(at).Asset("BTC").Execute())

	market := venue.NewCreateOrder("buy", "BTC", 0.1)
	market.SetOrderType("market")
	bought := must(api.OrdersAPI.CreateOrder(at).CreateOrder(*market).Execute())
	limit := venue.NewCreateOrder("buy", "BTC", 0.1)
	limit.SetPrice(low)
	named := *limit
	named.SetClientOrderId("my-go-order")
	named.SetMetadata(map[string]any{"desk": "north"})
	resting := must(api.OrdersAPI.CreateOrder(at).CreateOrder(named).Execute())
	if resting.Metadata["desk"] != "north" {
		log.Fatal("the metadata did not come back")
	}
	must(api.OrdersAPI.GetOrder(at, resting.OrderId).Execute())
	must(api.OrdersAPI.GetOrderByClientId(at).ClientOrderId("my-go-order").Execute())
	amendment := venue.NewAmendOrder()
	amendment.SetQuantity(0.2)
	must(api.OrdersAPI.AmendOrder(at, resting.OrderId).AmendOrder(*amendment).Execute())
	must(api.OrdersAPI.ListOrders(at).Statuses("open,partially_filled").Page(1).Execute())
	if fills := must(api.OrdersAPI.ListOrderFills(at, bought.OrderId).Execute()).Fills; len(fills) == 0 {
		log.Fatal("the market order has no fill")
	}
	must(api.OrdersAPI.CancelOrder(at, resting.OrderId).Execute())
	small := *limit
	small.SetQuantity(0.00001)
	items := *venue.NewCreateOrdersRequest([]venue.CreateOrder{*limit, small})
	batch := must(api.OrdersAPI.CreateOrders(at).CreateOrdersRequest(items).Execute())
	if failed := batch.Results[1]; failed.Success || failed.GetError() == "" || failed.GetIndex() != 1 {
		log.Fatal("the failed item of the batch says neither why nor where")
	}
	all := venue.CancelOrdersRequest{Asset: to("BTC")}
	must(api.OrdersAPI.CancelOrders(at).CancelOrdersRequest(all).Execute())
	must(api.OrdersAPI.CancelOrders(at).Execute())

	sides := *venue.NewSubmitQuote("BTC", low, high, 0.1, 0.1)
	quote := must(api.QuotesAPI.SubmitQuote(at).SubmitQuote(sides).Execute())
	must(api.QuotesAPI.ListQuotes(at).Limit(10).Offset(0).Execute())
	must(api.QuotesAPI.GetQuote(at, quote.QuoteId).Execute())
	change := venue.NewUpdateQuote()
	change.SetBidSize(0.2)
	must(api.QuotesAPI.UpdateQuote(at, quote.QuoteId).UpdateQuote(*change).Execute())
	update := venue.NewUpdateQuotesRequestInner(quote.QuoteId)
	update.SetAskSize(0.2)
	updates := []venue.UpdateQuotesRequestInner{*update}
	must(api.QuotesAPI.UpdateQuotes(at).UpdateQuotesRequestInner(updates).Execute())
	must(api.QuotesAPI.CancelQuote(at, quote.QuoteId).Execute())
	every := venue.CancelQuotesRequest{Asset: to("BTC")}
	must(api.QuotesAPI.CancelQuotes(at).CancelQuotesRequest(every).Execute())
	must(api.QuotesAPI.CancelQuotes(at).Execute())

	must(api.PortfolioAPI.ListBalances(at).Assets("BTC,USD").Execute())
	must(api.PortfolioAPI.GetBalance(at, "BTC").Execute())
	must(api.PortfolioAPI.ListPositions(at).Asset("BTC").Execute())
	must(api.PortfolioAPI.GetPosition(at, "BTC").Execute())
	must(api.PortfolioAPI.GetExposure(at).Execute())
	must(api.PortfolioAPI.GetAssetExposure(at, "BTC").Execute())
	must(api.PortfolioAPI.GetSummary(at).Execute())
	must(api.PortfolioAPI.GetProfitAndLoss(at).Period("7d").Execute())
	must(api.PortfolioAPI.ListTransactions(at).Limit(10).Execute())
	must(api.PortfolioAPI.ListTrades(at).StartDate("2026-01-01").Execute())
	must(api.PortfolioAPI.GetAvailable(at, "BTC").Execute())

	candidate := *venue.NewOrderCandidate("buy", "BTC", 0.1, low)
	must(api.RiskAPI.GetLimits(at).Execute())
	must(api.RiskAPI.CheckOrder(at).OrderCandidate(candidate).Execute())
	must(api.RiskAPI.GetRiskExposure(at).Execute())
	must(api.RiskAPI.GetAssetRiskExposure(at, "BTC").Execute())
	must(api.RiskAPI.GetUtilization(at).Execute())
	must(api.RiskAPI.GetMaxQuantity(at).Side("buy").Asset("BTC").Price(low).Execute())
	must(api.RiskAPI.GetMetrics(at).Execute())
	must(api.RiskAPI.SimulateOrder(at).OrderCandidate(candidate).Execute())
}
