public import BatonJobs

/// The identity of an enqueued run: its job, its key, and the id that `enqueue` returned.
///
/// A run cannot be found quickly by its id alone, because the queue has no index on ids. A server
/// that waits for a run stores the job, the key and the id, for example together with the pending
/// request.
public struct EnqueuedRun: Sendable, Hashable, Codable {
  /// The job's current name or a former name.
  public let job: String
  /// The run's key.
  ///
  /// The key of a run that was enqueued without a key is `#` followed by the id.
  public let key: String
  /// The id that `enqueue` returned.
  ///
  /// If the run was merged with other runs, the id still identifies the run.
  public let id: Int64

  /// Creates the identity of a run.
  ///
  /// - Parameter key: the key that was passed to `enqueue`, or nil if no key was passed.
  public init(job: String, key: String? = nil, id: Int64) {
    self.job = job
    self.key = key ?? "#\(id)"
    self.id = id
  }

  /// Returns whether both values identify the same run.
  ///
  /// Keys are compared byte by byte, as in the database.
  public static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.job.utf8.elementsEqual(right.job.utf8)
      && left.key.utf8.elementsEqual(right.key.utf8)
  }

  /// Hashes the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Creates the identity of the run that a request enqueued.
  ///
  /// - Parameter id: the id that `enqueue` returned for this request.
  public init(_ request: RunRequest, id: Int64) {
    self.init(job: request.job, key: request.key, id: id)
  }
}
