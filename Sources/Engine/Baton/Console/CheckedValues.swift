import BatonPostgres

/// A command's argument values, which one of Baton's SQL functions checks.
///
/// If the SQL function rejects a value, the function's error contains an SQLSTATE, a message and
/// usually a hint. The command's error message names the argument whose value the SQL function
/// rejected.
struct CheckedValues {
  /// For each SQLSTATE, the name of the argument that contains the rejected value.
  let arguments: [SQLState: String]
  /// The name of the job, which may not exist, or nil if no argument names a job.
  var job: String?
  /// The example that the error message for invalid JSON contains, or nil if the command has no
  /// payload.
  var payload: String?
  /// The outcome of the failed command as a sentence for the error message.
  ///
  /// An example is `Nothing was enqueued.`
  let outcome: String

  /// Executes `body`, and converts errors about argument values to error messages.
  func reporting<R>(_ body: () async throws -> R) async throws -> R {
    do {
      return try await body()
    } catch let error as PostgresError {
      throw complaint(about: error) ?? error
    }
  }

  /// Returns the message about a rejected value, or nil for any other error.
  private func complaint(about error: PostgresError) -> Complaint? {
    if let argument = arguments[error.sqlState] {
      if error.sqlState == "ZB005", let job { return .missingJob(job, place: argument) }
      return Complaint(
        .usage, what: error.message.sentence, place: argument, next: error.hint ?? outcome)
    }
    guard let payload, error.sqlState.failure == .value else { return nil }
    return .payload("\(outcome) Give \(payload).")
  }
}

extension Complaint {
  /// The message for a payload that the database cannot store, with the next step.
  static func payload(_ next: String) -> Complaint {
    Complaint(
      .usage, what: "The payload is not JSON that the database can store.", place: "--payload",
      next: next)
  }
}

extension String {
  /// The message of an error as a sentence.
  var sentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }
}
