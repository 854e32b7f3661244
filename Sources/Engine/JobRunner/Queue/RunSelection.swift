/// A selection of runs by job and key.
package struct RunSelection: Sendable, Hashable {
  /// The job's name, or nil for all jobs.
  package let job: String?
  /// The prefix of the keys of the selected runs, or nil for all keys.
  package let keyPrefix: String?

  /// Creates a selection.
  package init(job: String? = nil, keyPrefix: String? = nil) {
    self.job = job
    self.keyPrefix = keyPrefix
  }

  /// The fields that describe the selection in the audit log.
  var fields: [String: AuditValue] {
    var fields: [String: AuditValue] = [:]
    fields["job"] = job.map { .text($0) }
    fields["key_prefix"] = keyPrefix.map { .text($0) }
    return fields
  }
}
