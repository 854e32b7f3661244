import ArgumentParser
import JobRunner

/// The options that select runs for `runs cancel`, `runs retry` and `runs discard`.
struct SelectedRuns: ParsableArguments {
  @Argument(help: "The runs' ids.")
  var ids: [Int64] = []

  @Flag(help: "All runs that the command can change, unless --job or --key-prefix restricts them.")
  var all = false

  @Option(help: "All such runs of this job.")
  var job: String?

  @Option(help: "All such runs whose key begins with this text.")
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
