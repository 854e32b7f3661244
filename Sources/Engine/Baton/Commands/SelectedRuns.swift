import ArgumentParser
import JobRunner

/// The options that select runs for `runs cancel`, `runs retry` and `runs discard`.
struct SelectedRuns: ParsableArguments {
  @Argument(help: "The runs' ids.")
  var ids: [Int64] = []

  @Flag(help: "Select all runs that the command can change, unless another option limits them.")
  var all = false

  @Option(help: "Select only runs of this job.")
  var job: String?

  @Option(help: "Select only runs whose key begins with this text.")
  var keyPrefix: String?

  /// The filter, or nil if ids are given.
  var filter: RunSelection? { ids.isEmpty ? RunSelection(job: job, keyPrefix: keyPrefix) : nil }

  /// Throws an error unless the runs are selected either by ids or by a filter.
  func check() throws {
    guard ids.isEmpty == (all || job != nil || keyPrefix != nil) else {
      throw ValidationError("Give ids, or --all, --job or --key-prefix.")
    }
    guard keyPrefix != "" else {
      throw ValidationError("--key-prefix takes at least one character; --all takes all keys.")
    }
  }
}
