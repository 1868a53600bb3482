// Makes every call of the generated client; the venue's log says how it was answered.
package main

import (
	"context"
	"log"
	"math"
	"os"

	"clients/signing"
	"clients/venue"
)

func must[T any](answer T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func to[T any](value T) *T { return &value }

func main() {
	api := must(venue.NewClientWithResponses(os.Getenv("VENUE_URL"), venue.WithHTTPClient(signing.Client())))
	at := context.Background()

	price := must(api.GetPriceWithResponse(at, "BTC")).JSON200
	low, high := math.Floor(price.Mid*0.9), math.Ceil(price.Mid*1.1)
	must(api.ListPricesWithResponse(at, &venue.ListPricesParams{Assets: to("BTC,ETH")}))
	must(api.GetOrderBookWithResponse(at, "BTC", &venue.GetOrderBookParams{Depth: to(5)}))
	must(api.ListOrderBooksWithResponse(at, &venue.ListOrderBooksParams{Assets: "BTC,ETH", Depth: to(3)}))
	must(api.ListTradingPairsWithResponse(at))
	must(api.ListStatisticsWithResponse(at, &venue.ListStatisticsParams{Asset: to("BTC")}))

	bought := must(api.CreateOrderWithResponse(at, venue.CreateOrder{
		Side: "buy", Asset: "BTC", Quantity: 0.1, OrderType: to(venue.CreateOrderOrderType("market")),
	})).JSON201
	resting := must(api.CreateOrderWithResponse(at, venue.CreateOrder{
		Side: "buy", Asset: "BTC", Quantity: 0.1, Price: &low, ClientOrderId: to("my-go-order"),
		Metadata: &map[string]any{"desk": "north"},
	})).JSON201
	must(api.GetOrderWithResponse(at, resting.OrderId))
	must(api.GetOrderByClientIdWithResponse(at, &venue.GetOrderByClientIdParams{ClientOrderId: "my-go-order"}))
	must(api.AmendOrderWithResponse(at, resting.OrderId, venue.AmendOrder{Quantity: to(0.2)}))
	must(api.ListOrdersWithResponse(at, &venue.ListOrdersParams{Statuses: to("open,partially_filled"), Page: to(1)}))
	fills := must(api.ListOrderFillsWithResponse(at, bought.OrderId)).JSON200
	if len(fills.Fills) == 0 || fills.Fills[0].Quantity == 0 {
		log.Fatal("the market order has no fill")
	}
	must(api.CancelOrderWithResponse(at, resting.OrderId))
	batch := must(api.CreateOrdersWithResponse(at, venue.CreateOrdersJSONRequestBody{Orders: []venue.CreateOrder{
		{Side: "buy", Asset: "BTC", Quantity: 0.1, Price: &low},
		{Side: "buy", Asset: "BTC", Quantity: 0.00001, Price: &low},
	}})).JSON201
	if failed := batch.Results[1]; failed.Success || failed.Error == nil || *failed.Index != 1 {
		log.Fatal("the failed item of the batch says neither why nor where")
	}
	must(api.CancelOrdersWithResponse(at, venue.CancelOrdersJSONRequestBody{Asset: to("BTC")}))
	must(api.CancelOrdersWithBodyWithResponse(at, "application/json", nil))

	quote := must(api.SubmitQuoteWithResponse(at, venue.SubmitQuote{
		Asset: "BTC", BidPrice: low, AskPrice: high, BidSize: 0.1, AskSize: 0.1, ValidForSeconds: to(float64(60)),
	})).JSON201
	must(api.ListQuotesWithResponse(at, &venue.ListQuotesParams{Limit: to(10), Offset: to(0)}))
	must(api.GetQuoteWithResponse(at, quote.QuoteId))
	must(api.UpdateQuoteWithResponse(at, quote.QuoteId, venue.UpdateQuote{BidSize: to(0.2)}))
	must(api.UpdateQuotesWithResponse(at, venue.UpdateQuotesJSONRequestBody{{QuoteId: quote.QuoteId, AskSize: to(0.2)}}))
	must(api.CancelQuoteWithResponse(at, quote.QuoteId))
	must(api.CancelQuotesWithResponse(at, venue.CancelQuotesJSONRequestBody{Asset: to("BTC")}))
	must(api.CancelQuotesWithBodyWithResponse(at, "application/json", nil))

	must(api.ListBalancesWithResponse(at, &venue.ListBalancesParams{Assets: to("BTC,USD")}))
	must(api.GetBalanceWithResponse(at, "BTC"))
	must(api.ListPositionsWithResponse(at, &venue.ListPositionsParams{Asset: to("BTC")}))
	must(api.GetPositionWithResponse(at, "BTC"))
	must(api.GetExposureWithResponse(at))
	must(api.GetAssetExposureWithResponse(at, "BTC"))
	must(api.GetSummaryWithResponse(at))
	must(api.GetProfitAndLossWithResponse(at, &venue.GetProfitAndLossParams{Period: to(venue.GetProfitAndLossParamsPeriod("7d"))}))
	must(api.ListTransactionsWithResponse(at, &venue.ListTransactionsParams{Limit: to(10)}))
	must(api.ListTradesWithResponse(at, &venue.ListTradesParams{StartDate: to("2026-01-01")}))
	must(api.GetAvailableWithResponse(at, "BTC"))

	candidate := venue.OrderCandidate{Side: "buy", Asset: "BTC", Quantity: 0.1, Price: low}
	must(api.GetLimitsWithResponse(at))
	must(api.CheckOrderWithResponse(at, candidate))
	must(api.GetRiskExposureWithResponse(at))
	must(api.GetAssetRiskExposureWithResponse(at, "BTC"))
	must(api.GetUtilizationWithResponse(at))
	must(api.GetMaxQuantityWithResponse(at, &venue.GetMaxQuantityParams{Side: "buy", Asset: "BTC", Price: low}))
	must(api.GetMetricsWithResponse(at))
	must(api.SimulateOrderWithResponse(at, candidate))
}
