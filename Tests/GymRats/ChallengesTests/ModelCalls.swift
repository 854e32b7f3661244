import BatonPostgres
import TestSupport

extension Call where Output == String {
  /// Returns a call of the model as a call of `record_workout`.
  static func model(_ call: ModelCall) -> Call {
    .row(
      Statement(
        "test/model record",
        """
        select concat_ws(' ', outcome, reason, week_start, case when is_replayed then 'again' end)
        from record_workout($1, $2, $3, $4, $5)
        """), ModelName.stored(call.key.user), call.key.workout,
      call.time.map { Timestamp(microseconds: $0) },
      call.offset.map { Int32($0) }, Int32(call.revision)
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
  }

  /// Returns a deletion of the model as a call of `delete_workout`.
  static func model(_ deletion: ModelDeletion) -> Call {
    .delete(
      deletion.key.workout, by: ModelName.stored(deletion.key.user),
      revision: deletion.revision.map { Int32($0) })
  }
}
