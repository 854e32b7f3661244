import BatonPostgres
import Challenges
import ChallengesSQL

/// Records and deletes the actor's workouts in PostgreSQL.
struct PostgresWorkouts: WorkoutRepository {
  let calls: ActorCalls

  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer {
    let actor = try calls.signedIn()
    var performedAt: Timestamp?
    if let date = entry.performedAt { performedAt = try Timestamp(date) }
    // A UTC offset outside the range of `Int32` is clamped to that range. If a workout's offset was
    // clamped, the server rejects it with the reason `utcOffsetOutOfRange`.
    let offset = entry.utcOffsetSeconds.map { Int32(clamping: $0) }
    return try await calls.run(
      .row(
        SQL.Api.recordWorkout, actor, entry.id, performedAt, offset,
        try entry.revision.asParameter
      ) { (row) throws(PostgresError) in try row.workoutAnswer() })
  }

  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer {
    try await calls.run(
      .row(
        SQL.Api.deleteWorkout, try calls.signedIn(), workoutId, try revision.asParameter
      ) { (row) throws(PostgresError) in try row.workoutAnswer() })
  }
}
