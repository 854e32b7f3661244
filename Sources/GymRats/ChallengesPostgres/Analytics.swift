public import BatonPostgres
import Challenges
import ChallengesSQL
import ProductKit

/// What is counted by day, as an operator sees it.
///
/// docs/gymrats/analytics.md says what each number means.
public struct Analytics: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The statistics of a schema, on a connection that has no other use meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Every UTC day of a span, and what of it hangs together, as of one moment.
  ///
  /// - Parameter days: the first and the last, in days since 1970-01-01.
  /// - Throws: `PostgresError`.
  public func summary(of days: ClosedRange<Int64>) async throws -> AnalyticsSummary {
    let first = CivilDate.text(ofDay: days.lowerBound)
    let last = CivilDate.text(ofDay: days.upperBound)
    return try await connection.transaction(in: schema) { transaction in
      let (days, workouts, conversion, cost) = try await transaction.run(
        sumDays(first, last), sumWorkouts(first, last), countConversion(first, last),
        readRecomputeCost)
      return AnalyticsSummary(
        days: days.map { day in
          var day = day
          day.workouts = workouts.filter { $0.day == day.day }.map(\.count)
          return day
        }, invites: conversion, recompute: cost)
    }
  }

  /// Today in domain time, in days since 1970-01-01.
  ///
  /// - Throws: `PostgresError`.
  public func today() async throws(PostgresError) -> Int64 {
    let read = Call.row(SQL.Analytics.readToday) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let day: Int64 = try await connection.atomically(in: schema, read)
    return day
  }

  private func sumDays(_ first: String, _ last: String) -> Call<[AnalyticsDay]> {
    .rows(SQL.Analytics.sumDays, first, last) { (row) throws(PostgresError) in
      let (
        day, created, joined, invited, invites, previews, ignored, writes, links, fetches, median,
        p95
      ) = try row.decode(
        String.self, Int64.self, Int64.self, Int64.self, Int64.self, Int64.self, Int64.self,
        Int64.self, Int64.self, Int64.self, Int32?.self, Int32?.self)
      return AnalyticsDay(
        day: day, groupsCreated: created, groupsJoined: joined, joinedByInvite: invited,
        invitesMade: invites, invitesPreviewed: previews, ignoredPrivacy: ignored,
        writesFailed: writes, linksFailed: links, boardsFetched: fetches, fetchP50Ms: median,
        fetchP95Ms: p95)
    }
  }

  private func sumWorkouts(
    _ first: String, _ last: String
  ) -> Call<[(day: String, count: AnalyticsDay.Workouts)]> {
    .rows(SQL.Analytics.sumWorkouts, first, last) { (row) throws(PostgresError) in
      let (day, outcome, workouts) = try row.decode(String.self, String.self, Int64.self)
      return (day, AnalyticsDay.Workouts(outcome: outcome, workouts: workouts))
    }
  }

  private func countConversion(_ first: String, _ last: String) -> Call<InviteConversion> {
    .row(SQL.Analytics.countConversion, first, last) { (row) throws(PostgresError) in
      let (made, previewed, accepted, joins) = try row.decode(
        Int64.self, Int64.self, Int64.self, Int64.self)
      return InviteConversion(made: made, previewed: previewed, accepted: accepted, joins: joins)
    }
  }

  private var readRecomputeCost: Call<RecomputeCost> {
    .row(SQL.Analytics.readRecomputeCost) { (row) throws(PostgresError) in
      let (published, read, written, runs, batches) = try row.decode(
        Int64.self, Int64?.self, Int64?.self, Int64.self, Int64.self)
      return RecomputeCost(
        published: published, rowsRead: read.map { Double($0) / 10 },
        mostRowsWritten: written.map { Double($0) / 10 }, runs: runs, batches: batches)
    }
  }
}

/// What is counted of some days.
public struct AnalyticsSummary: Sendable {
  /// Each day, oldest first.
  public let days: [AnalyticsDay]
  /// What became of the invites that were made in them.
  public let invites: InviteConversion
  /// What a recompute costs, of all boards that there are.
  public let recompute: RecomputeCost
}

/// One UTC day.
public struct AnalyticsDay: Sendable, Encodable {
  /// Workouts of one outcome; `deleted`: taken back.
  public struct Workouts: Sendable, Encodable {
    /// As `record_workout` answered.
    public let outcome: String
    /// How many.
    public let workouts: Int64
  }

  /// `YYYY-MM-DD`.
  public let day: String
  /// Groups that were made; who joined one, and of those by an invite.
  public let groupsCreated, groupsJoined, joinedByInvite: Int64
  /// Invites that were made; users who looked at one for the first time.
  public let invitesMade, invitesPreviewed: Int64
  /// The ledger, by outcome.
  public internal(set) var workouts: [Workouts] = []
  /// Calls that privacy refused: nothing says whether two are one workout.
  public let ignoredPrivacy: Int64
  /// What phones report of themselves.
  public let writesFailed, linksFailed, boardsFetched: Int64
  /// Milliseconds in which half, and 95 of 100, of the boards were fetched; nil: none was.
  public let fetchP50Ms, fetchP95Ms: Int32?
}

/// What became of the invites of some days, until now.
public struct InviteConversion: Sendable, Encodable {
  /// Invites made, invites previewed, invites that led to a join, and all joins by invite.
  public let made, previewed, accepted, joins: Int64
}

/// What a recompute of a board's ranks costs in rows.
public struct RecomputeCost: Sendable, Encodable {
  /// How often the ranks of a board that there is have changed.
  public let published: Int64
  /// Rows read, and the most written, by one of them; nil: there was none.
  ///
  /// Reckoned from how large boards are now.
  public let rowsRead, mostRowsWritten: Double?
  /// Runs of `recompute-ranks` since ever, and the batches that they were worked in.
  public let runs, batches: Int64
}
