import BatonJobs
import BatonPostgres
import RunnerSQL

extension Queue {
  /// The smallest backward jump in the server's clock after which stored times are corrected.
  private static let tolerance = Duration.seconds(1)

  /// Corrects all times that were stored while the server's clock was fast.
  ///
  /// After the server's clock is set back, times that were stored earlier are in the future. If
  /// stored times were not corrected, runs, schedules, rate limits and takeovers could wait for
  /// years.
  ///
  /// - Parameters:
  ///   - jobs: the jobs whose schedules are checked while the clock is not set back.
  ///   - place: the position after which the check of schedules begins. If the clock was set back,
  ///     all schedules of all jobs are checked, also those of other programs. If the clock was not
  ///     set back, only a limited number of schedules is checked.
  /// - Returns: how far the clock was set back since the last call by any worker, or nil if it was
  ///   not set back. The second value of the result is the position for the next call.
  func followClock(
    of jobs: [RegisteredJob], after place: SchedulePlace = SchedulePlace()
  ) async throws -> (back: Duration?, place: SchedulePlace) {
    let back: Duration? = try await session.transaction { transaction in
      let (back, _): (Duration, Int) = try await transaction.run(
        QueueCalls.noteClock, .count(SQL.Queue.boundWaits))
      guard back > Self.tolerance else { return nil }
      // The transaction waits for claims before it locks runs, because dispatches wait for runs.
      _ = try await transaction.run(
        QueueCalls.lockGroupRates, .count(SQL.Queue.moveWaits, back.milliseconds),
        .count(SQL.Queue.boundGroups))
      return back
    }
    guard back != nil else {
      let names = jobs.map(\.definition.name)
      return (nil, try await Scheduler.moveBack(names, after: place, in: session))
    }
    // Only one worker notices that the clock was set back, so it also corrects the schedules of
    // jobs that it does not contain.
    var next = SchedulePlace()
    repeat {
      next = try await Scheduler.moveBack(nil, after: next, in: session)
    } while next != SchedulePlace()
    return (back, next)
  }
}

/// A position in the list of schedules, which is ordered by job and name.
struct SchedulePlace: Sendable, Equatable {
  var job = ""
  var name = ""
}

extension QueueCalls {
  fileprivate static let lockGroupRates: Call<Void> = .run(SQL.Queue.lockGroupRates)

  fileprivate static let noteClock = Call<Duration>.row(SQL.Queue.noteClock) {
    (row) throws(PostgresError) in
    let milliseconds: Int64 = try row.decode(Int64.self)
    return .milliseconds(milliseconds)
  }
}

extension Scheduler {
  /// The maximum number of schedules that one statement checks.
  ///
  /// The statement computes one occurrence of each schedule that it checks. Checking 250 schedules
  /// takes about 10 ms.
  private static let mostChecked = 250

  /// Corrects schedules whose stored next occurrence is later than the first occurrence after the
  /// current time.
  ///
  /// A stored occurrence is too late if the clock was wrong, or if time zone rules have changed.
  /// The check of schedules reads a limited number of schedules, without locks. A schema with many
  /// tenants can have 100,000 schedules, so checking all of them every 10 s would be too expensive.
  ///
  /// - Parameter jobs: the jobs whose schedules are checked, or nil for all jobs.
  /// - Returns: the position for the next call. After the last schedule, the position is the
  ///   beginning of the list.
  fileprivate static func moveBack(
    _ jobs: [String]?, after place: SchedulePlace, in session: Session
  ) async throws -> SchedulePlace {
    let move = Call.rows(SQL.Schedules.moveBack, jobs, place.job, place.name) {
      (row) throws(PostgresError) in
      let (job, name, count) = try row.decode(String.self, String.self, Int64.self)
      return (SchedulePlace(job: job, name: name), Int(count))
    }
    let found: [(SchedulePlace, Int)] = try await session.atomically(move)
    guard let (last, count) = found.first, count == mostChecked else { return SchedulePlace() }
    return last
  }
}
