import Baton
import BatonPostgres
import ChallengesSQL

/// What GymRats says of itself to whoever watches: whether weeks that are over are closed.
struct WeekGauges: ObservedProduct {
  var gauges: Call<[ProductGauge]> {
    .row(SQL.Weeks.countDue) { (row) throws(PostgresError) in
      let (weeks, seconds) = try row.decode(Int64.self, Int64.self)
      return [
        ProductGauge(
          "week_closes_due", help: "Weeks that are over, grace included, and not closed.",
          value: Double(weeks)),
        ProductGauge(
          "week_closes_due_seconds",
          help: "For how many seconds the oldest of these should be closed.",
          value: Double(seconds), limit: 900,
          next: "`baton week status` says who holds it up; `baton run close-week` closes it."),
      ]
    }
  }
}
