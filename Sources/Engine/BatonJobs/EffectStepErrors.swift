/// The error for an invalid step name.
struct InvalidStepName: Error, CustomStringConvertible {
  let description: String

  init(step: String, _ run: RunHeader) {
    description =
      "the step name '\(step.prefix(100))' is invalid (job \(run.job), run \(run.id)): "
      + "use 1 to 100 letters, digits, hyphens, underscores and dots"
  }
}

/// The error for a step name that is used twice in one attempt.
struct RepeatedStep: Error, CustomStringConvertible {
  let description: String

  init(step: String, _ run: RunHeader) {
    description =
      "the step \(step) begins twice in one attempt (job \(run.job), run \(run.id)): "
      + "give each step its own name, such as \(step)-2"
  }
}

/// The error for a step's result that is too large to be stored, or that cannot be encoded.
///
/// The run dies, because each further attempt would perform the step again.
package struct UnstorableStepResult: Error, CustomStringConvertible {
  /// The error text, which names the step and the problem.
  package let description: String

  init(step: String, _ run: RunHeader, _ error: any Error) {
    description =
      "the result of the step \(step) cannot be encoded: \(error) (job \(run.job), "
      + "run \(run.id)): correct the encode(to:) method of the result's type"
  }

  init(step: String, _ run: RunHeader, bytes: Int) {
    description =
      "the result of the step \(step) has \(bytes) bytes of JSON, and at most "
      + "\(StoredJSON.mostBytes) are stored (job \(run.job), run \(run.id)): "
      + "return only an id from the step, and store the data elsewhere"
  }
}

/// The error for a step's stored result that the job cannot decode.
///
/// Another release of the program may be able to decode the result.
package struct UnreadableStepResult: Error, CustomStringConvertible {
  /// The error text, which names the step, the invalid field and the problem.
  package let description: String

  init(step: String, _ run: RunHeader, _ error: any Error) {
    description =
      "the stored result of the step \(step) cannot be read: \(StoredJSON.problem(error)) "
      + "(job \(run.job), run \(run.id)): change the type so that it also decodes older results"
  }
}

/// The error for a wait whose topic or key `send_event` would reject.
struct InvalidAwaitedEvent: Error, CustomStringConvertible {
  let description: String

  init(_ event: AwaitedEvent, _ run: RunHeader) {
    description =
      "no event can have the topic '\(event.topic.prefix(100))' and a key of "
      + "\(event.key.utf8.count) bytes (step \(event.step), job \(run.job), run \(run.id)): use 1 to "
      + "100 letters, digits, hyphens, underscores and dots for the topic, and 1 to 256 bytes "
      + "without control characters for the key"
  }
}

/// The error for a step that waits for a different event than in an earlier attempt.
///
/// During a deployment, the run is released, because a worker of another release may still be
/// waiting for the earlier event. If no worker can continue the run, the run is retried as after
/// any other failure.
package struct ChangedWait: Error, CustomStringConvertible {
  /// The error text, which names the step and both events.
  package let description: String

  init(_ event: AwaitedEvent, before: (topic: String, key: String), _ run: RunHeader) {
    description =
      "the step \(event.step) has waited for the event \(before.topic) '\(before.key)', and now "
      + "waits for \(event.topic) '\(event.key)' (job \(run.job), run \(run.id)): give the "
      + "changed wait another step name"
  }
}
