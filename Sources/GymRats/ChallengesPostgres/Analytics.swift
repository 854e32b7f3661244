public import BatonPostgres
import Challenges
import ChallengesSQL
import ProductKit

/// Daily statistics for an operator.
///
/// The page docs/gymrats/analytics.md explains each number.
public struct Analytics: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's statistics.
  ///
  /// While the reader is in use, no other task may use the connection.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Reads the statistics of every UTC day in a range.
  ///
  /// The workouts of each day are counted in a separate transaction. VACUUM cannot remove rows that
  /// a transaction may still read, so a long range must not be read in one transaction. If a user
  /// edits an old workout during the call, the workout can be counted on two days.
  ///
  /// - Parameter days: The first and the last day, in days since 1970-01-01.
  /// - Throws: `PostgresError`.
  public func summary(of days: ClosedRange<Int64>) async throws -> AnalyticsSummary {
    let first = CivilDate.text(ofDay: days.lowerBound)
    let last = CivilDate.text(ofDay: days.upperBound)
    var workouts: [(day: String, count: AnalyticsDay.Workouts)] = []
    for day in days {
      let counts: [(day: String, count: AnalyticsDay.Workouts)] = try await connection.atomically(
        in: schema, sumWorkouts(CivilDate.text(ofDay: day)))
      workouts += counts
    }
    let counted = workouts
    return try await connection.transaction(in: schema) { transaction in
      let (days, conversion, cost) = try await transaction.run(
        sumDays(first, last), countConversion(first, last), readRecomputeCost)
      return AnalyticsSummary(
        days: days.map { day in
          var day = day
          day.workouts = counted.filter { $0.day == day.day }.map(\.count)
          return day
        }, invites: conversion, recompute: cost)
    }
  }

  /// Returns the current UTC day of the domain clock, in days since 1970-01-01.
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

  private func sumWorkouts(_ day: String) -> Call<[(day: String, count: AnalyticsDay.Workouts)]> {
    .rows(SQL.Analytics.sumWorkouts, day) { (row) throws(PostgresError) in
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

/// The statistics for a range of days.
public struct AnalyticsSummary: Sendable {
  /// The statistics for each day, oldest first.
  public let days: [AnalyticsDay]
  /// The results for the invites created in the range of days.
  public let invites: InviteConversion
  /// The estimated cost of recomputing a board's ranks, averaged over all stored boards.
  public let recompute: RecomputeCost
}

/// The statistics for one UTC day.
public struct AnalyticsDay: Sendable, Encodable {
  /// The number of workouts with a given outcome, where `deleted` means that the user deleted the
  /// workout.
  public struct Workouts: Sendable, Encodable {
    /// The outcome that `record_workout` returned, or `deleted`.
    public let outcome: String
    /// The number of workouts.
    public let workouts: Int64
  }

  /// The day in the form `YYYY-MM-DD`.
  public let day: String
  /// The numbers of groups created, users who joined a group, and users who joined by invite.
  public let groupsCreated, groupsJoined, joinedByInvite: Int64
  /// The number of invites created, and the number of users who previewed an invite for the first
  /// time.
  public let invitesMade, invitesPreviewed: Int64
  /// The number of recorded workouts for each outcome.
  public internal(set) var workouts: [Workouts] = []
  /// The number of calls that were rejected because the user does not share workouts.
  ///
  /// Repeated calls are counted again, because the server does not store the content of rejected
  /// calls.
  public let ignoredPrivacy: Int64
  /// The number of events reported by phones: failed writes, failed links and fetched boards.
  public let writesFailed, linksFailed, boardsFetched: Int64
  /// The p50 and p95 of a phone's board fetch time, in milliseconds, or nil if no boards were
  /// fetched.
  public let fetchP50Ms, fetchP95Ms: Int32?
}

/// The results so far for the invites created in a range of days.
public struct InviteConversion: Sendable, Encodable {
  /// The numbers of invites that were created, previewed and used, and the number of joins by
  /// invite.
  public let made, previewed, accepted, joins: Int64
}

/// The estimated number of rows that are read and written when a board's ranks are recomputed.
public struct RecomputeCost: Sendable, Encodable {
  /// The number of rank changes that were published for all stored boards.
  public let published: Int64
  /// The average number of rows that a recomputation reads, and an upper bound for the average
  /// number that it writes.
  ///
  /// The averages are nil if no ranks were recomputed.
  ///
  /// The averages are estimated from the current size of the boards.
  public let rowsRead, mostRowsWritten: Double?
  /// The total number of `recompute-ranks` runs and of their batches.
  public let runs, batches: Int64
}
