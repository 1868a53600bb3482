"""Reads the tables of a run into pandas or polars.

    npx otcsim backtest trend.ts --model gbm,vol=0.6 --to 60d --parquet out

    import read_run
    run = read_run.load('out')                    # DataFrames: equity, orders, fills, trips, quotes, transfers, series
    returns = read_run.daily_returns(run['equity'])
    read_run.figures(run['equity'])               # the figures that otcsim prints, from the same definitions
    read_run.tear_sheet(run['equity'], 'sheet.html')  # by quantstats

`python3 read_run.py out` prints the figures as JSON. Parquet needs pyarrow or polars; what `--csv FOLDER` writes is read as well.
"""

import json
import sys
from pathlib import Path

TABLES = ['equity', 'orders', 'fills', 'trips', 'quotes', 'transfers', 'series']
DAYS_A_YEAR = 365


def load(folder):
    """Returns the tables of a run by name, as DataFrames of pandas. Instants are UTC."""
    import pandas as pd

    tables = {}
    for name in TABLES:
        parquet, csv = Path(folder, name + '.parquet'), Path(folder, name + '.csv')
        if parquet.exists():
            tables[name] = pd.read_parquet(parquet)
        elif csv.exists():
            table = pd.read_csv(csv)
            for column in [one for one in table.columns if one == 'at' or one.endswith('At')]:
                table[column] = pd.to_datetime(table[column], utc=True)
            tables[name] = table
    if not tables:
        raise FileNotFoundError(f'{folder} has no tables: otcsim backtest ... --parquet {folder}')
    return tables


def load_polars(folder):
    """Returns the tables of a run by name, as DataFrames of polars."""
    import polars as pl

    return {name: pl.read_parquet(Path(folder, name + '.parquet')) for name in TABLES}


def unit_values(equity):
    """Returns what 1 is worth at each point of the equity, deposits and withdrawals removed."""
    by_time = equity.set_index('at')
    gained = by_time['equity'] - by_time['flow']
    before = by_time['equity'].shift()
    return (gained / before).fillna(1).cumprod()


def daily_returns(equity):
    """Returns the returns from midnight to midnight, UTC; days that the run cuts are left out."""
    units = unit_values(equity)
    midnights = units[units.index == units.index.normalize()]
    return midnights.pct_change().dropna()


def figures(equity):
    """Returns total return, volatility and Sharpe ratio a year, and the deepest fall. The equity must have midnights."""
    units = unit_values(equity)
    returns = daily_returns(equity)
    spread = returns.std(ddof=1)
    return {
        'days': len(returns),
        'total': float(units.iloc[-1] - 1),
        'volatility': float(spread * DAYS_A_YEAR**0.5),
        'sharpe': float(returns.mean() / spread * DAYS_A_YEAR**0.5),
        'deepestFall': float((units / units.cummax() - 1).min()),
    }


def tear_sheet(equity, file):
    """Writes the tear sheet of quantstats, which needs returns without a zone."""
    import quantstats as qs

    returns = daily_returns(equity).tz_localize(None)
    qs.reports.html(returns, output=file, periods_per_year=DAYS_A_YEAR, title='otcsim')


if __name__ == '__main__':
    print(json.dumps(figures(load(sys.argv[1])['equity'])))
