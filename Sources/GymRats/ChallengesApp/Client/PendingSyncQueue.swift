public import Challenges
public import Foundation
import ProductKit
import SHA256

/// A persistent queue of changes to one user's workouts. The queue is preserved when the app
/// restarts.
///
/// The page docs/gymrats/offline.md describes the queue's states, and the effects of killed
/// processes, lost responses and repeated calls.
public actor PendingSyncQueue {
  /// The result of adding a change to the queue.
  public enum Enqueued: Hashable, Sendable {
    /// The change is stored in the file on the disk.
    case queued
    /// The change was already in the queue.
    case alreadyQueued
    /// The user does not share workouts, so nothing was stored.
    case ignoredPrivacy
  }

  /// The id of the user who owns the workouts.
  public nonisolated let userId: String
  /// The unreadable file of the user's previous queue, or nil if the file could be read.
  ///
  /// An app should report the unreadable file to the user.
  public nonisolated let unreadable: UnreadableFile?
  /// The maximum number of pending changes.
  public nonisolated let capacity: Int

  private let file: DurableFile
  private let format: PendingSyncFile
  /// The lock on the file, or nil if the queue is closed.
  private var lock: FileLock?
  private let time: SyncTime
  private let backoff: Backoff
  /// The number of failed attempts after which a change is discarded.
  private let mostFailures: Int

  private var changes: [PendingChange]
  private var isProcessing = false
  private var wasCalledMeanwhile = false
  /// The number of network failures since the server last accepted or rejected a change.
  private var lostConnections = 0
  /// The earliest time of the next attempt for each failed workout, keyed by the bytes of the
  /// workout's id.
  private var waits: [[UInt8]: Duration] = [:]
  private var isOnline = false
  private var wake: AsyncStream<Void>.Continuation?
  /// A task that wakes `run` when the next attempt is due.
  private var pause: Task<Void, Never>?

  /// Opens a user's queue with the changes that are still pending from the previous process.
  ///
  /// - Parameters:
  ///   - folder: A local folder that is excluded from backups and not shared with app extensions.
  ///   - userId: The signed-in user. Each user has a separate file.
  ///   - capacity: The maximum number of pending changes.
  /// - Throws: `PendingSyncError.inUse`, or a file system error.
  public init(
    folder: URL, userId: String, capacity: Int = 1_000, mostFailures: Int = 100,
    backoff: Backoff = Backoff(), time: SyncTime = .system
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The file name contains a digest of the user's id, because an id may contain characters that
    // are invalid in a file name.
    let name = "pending-\(SHA256Digest.hex(of: userId.utf8).prefix(32))"
    let path = folder.appending(path: name).path(percentEncoded: false)
    guard let lock = try FileLock(path + ".lock") else { throw PendingSyncError.inUse }
    self.lock = lock
    self.userId = userId
    self.capacity = capacity
    self.mostFailures = mostFailures
    self.backoff = backoff
    self.time = time
    let file = DurableFile(path)
    let format = PendingSyncFile(user: userId, mostChanges: capacity)
    self.file = file
    self.format = format
    (changes, unreadable) = try Self.read(file, as: format)
  }

  private static func read(
    _ file: DurableFile, as format: PendingSyncFile
  ) throws -> ([PendingChange], UnreadableFile?) {
    do {
      guard let bytes = try file.content(limit: format.mostBytes) else { return ([], nil) }
      return (try format.changes(from: bytes), nil)
    } catch let failure as DurableFile.Failure {
      // A read error does not mean that the file is damaged, so it is not replaced.
      throw failure
    } catch {
      return ([], UnreadableFile(path: try file.putAside(), reason: "\(error)"))
    }
  }

  /// The pending changes, oldest first.
  public var pending: [PendingChange] { changes }

  /// Releases the file so that another queue can open it.
  ///
  /// Pending changes stay in the file. If `close` is not called, the file is released some time
  /// after the last reference to the queue is released.
  public func close() {
    lock = nil
    wake?.finish()
  }

  // MARK: Filling

  /// Adds a new or edited workout to the queue.
  ///
  /// When the method returns, the change is stored on the disk.
  ///
  /// - Throws: `PendingSyncError`, or a file system error. After an error, the queue is unchanged.
  @discardableResult
  public func enqueue(
    _ entry: WorkoutHistoryEntry, privacy: PrivacySettings
  ) throws -> Enqueued {
    guard privacy.shareWorkoutData else { return .ignoredPrivacy }
    return try add(PendingChange(recording: entry))
  }

  /// Adds a deletion to the queue.
  ///
  /// - Parameter revision: A revision higher than the workout's current revision.
  @discardableResult
  public func enqueueDeletion(of workoutId: String, revision: Int) throws -> Enqueued {
    try add(PendingChange(deleting: workoutId, revision: revision))
  }

  private func add(_ change: PendingChange) throws -> Enqueued {
    guard lock != nil else { throw PendingSyncError.closed }
    guard change.isValid, let change = change.normalized else { throw PendingSyncError.invalid }
    let sameWorkout = changes.filter { $0.key == change.key }
    guard !sameWorkout.contains(where: { $0.isSame(as: change) }) else { return .alreadyQueued }
    guard sameWorkout.allSatisfy({ $0.workout.revision < change.workout.revision }) else {
      throw PendingSyncError.revisionTaken
    }
    guard changes.count < capacity else { throw PendingSyncError.full(limit: capacity) }
    try file.replace(with: try format.bytes(of: changes + [change]))
    changes.append(change)
    wake?.yield()
    return .queued
  }

  // MARK: Emptying

  /// Sends the pending changes one after another, until no more changes can be sent now.
  ///
  /// Only one call at a time sends changes. Changes to one workout are sent in order. If a change
  /// fails, the later changes to the workout wait. A final response from the server removes the
  /// change from the queue.
  public func processQueue(syncUseCase: SyncWorkoutCompletionUseCase) async -> SyncReport {
    var report = SyncReport()
    report.remaining = changes.count
    guard !isProcessing else {
      // Another call of this method is sending changes. If an error stops the other call,
      // `wasCalledMeanwhile` makes it try again.
      wasCalledMeanwhile = true
      report.stop = .alreadyRunning
      return report
    }
    isProcessing = true
    defer { isProcessing = false }
    repeat {
      wasCalledMeanwhile = false
      report.stop = await pass(syncUseCase, &report)
    } while report.stop != nil && report.stop != .cancelled && wasCalledMeanwhile
    // Do not use `await` after this line. During an `await`, another call could set
    // `wasCalledMeanwhile`, but the loop above would no longer read it.
    report.remaining = changes.count
    report.nextAttempt = nextAttempt(after: report.stop)
    schedule(report.nextAttempt)
    return report
  }

  private func pass(
    _ syncUseCase: SyncWorkoutCompletionUseCase, _ report: inout SyncReport
  ) async -> SyncReport.Stop? {
    while let change = nextChange() {
      guard !Task.isCancelled else { return .cancelled }
      do {
        let outcome =
          change.isDeletion
          ? try await syncUseCase.delete(
            workoutId: change.workout.id, revision: change.workout.revision, of: userId)
          : try await syncUseCase.execute(entry: change.workout, of: userId)
        lostConnections = 0
        finish(change, .outcome(outcome), &report)
      } catch is CancellationError {
        return .cancelled
      } catch DomainError.notAuthenticated {
        return .signInNeeded
      } catch let error as DomainError where error.isRetryable {
        lostConnections += 1
        return .networkUnavailable
      } catch let error as DomainError {
        lostConnections = 0
        finish(change, .refused(error), &report)
      } catch {
        guard !Task.isCancelled else { return .cancelled }
        fail(change, &report)
      }
    }
    return nil
  }

  /// Returns the oldest change that may be sent now.
  ///
  /// After a failed attempt, all changes to the workout wait until the next attempt is due.
  private func nextChange() -> PendingChange? {
    guard lock != nil else { return nil }
    let now = time.now()
    return changes.first { waits[$0.key].map { $0 <= now } ?? true }
  }

  private func finish(
    _ change: PendingChange, _ end: SyncReport.End, _ report: inout SyncReport
  ) {
    waits[change.key] = nil
    changes.removeAll { $0.isSame(as: change) }
    report.finished.append(.init(change: change, end: end))
    save(&report)
  }

  /// Counts a failed attempt with an unknown cause.
  ///
  /// Changes to other workouts are sent before the change is tried again. After too many failures,
  /// the change is discarded.
  private func fail(_ change: PendingChange, _ report: inout SyncReport) {
    guard let index = changes.firstIndex(where: { $0.isSame(as: change) }) else { return }
    changes[index].failures += 1
    let failures = changes[index].failures
    guard failures < mostFailures else { return finish(changes[index], .gaveUp, &report) }
    waits[change.key] =
      time.now() + backoff.pause(after: failures, random: time.random())
    save(&report)
  }

  private func save(_ report: inout SyncReport) {
    do {
      // If this queue is closed, another queue may have opened the file.
      guard lock != nil else { throw PendingSyncError.closed }
      try file.replace(with: try format.bytes(of: changes))
    } catch {
      // If a change's removal could not be saved, the file still contains the change. The next
      // process sends the change again and receives the same response.
      report.storageFailure = "\(error)"
    }
  }

  private func nextAttempt(after stop: SyncReport.Stop?) -> Duration? {
    guard !changes.isEmpty, stop != .signInNeeded else { return nil }
    if stop == .networkUnavailable {
      return backoff.pause(after: lostConnections, random: time.random())
    }
    return waits.values.min().map { max(.zero, $0 - time.now()) } ?? .zero
  }

  // MARK: By itself

  /// Sends pending changes whenever an attempt may succeed.
  ///
  /// The changes are sent when the network becomes available, when a change is added and when the
  /// next attempt is due. The method returns when its task is cancelled. A second concurrent call
  /// returns immediately.
  ///
  /// - Parameter tell: A function that receives the report of each attempt to send the changes.
  public func run(
    syncUseCase: SyncWorkoutCompletionUseCase, connectivity: any Connectivity,
    tell: @escaping @Sendable (SyncReport) -> Void = { _ in }
  ) async {
    guard wake == nil else { return }
    let (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    wake = continuation
    let watch = Task {
      for await isOnline in connectivity.states() { connectionChanged(to: isOnline) }
    }
    for await _ in wakes {
      guard isOnline else { continue }
      tell(await processQueue(syncUseCase: syncUseCase))
    }
    watch.cancel()
    isOnline = false
    wake = nil
    schedule(nil)
  }

  private func schedule(_ length: Duration?) {
    pause?.cancel()
    pause = nil
    guard let wake, let length else { return }
    pause = Task { [time] in
      guard (try? await time.sleep(length)) != nil else { return }
      wake.yield()
    }
  }

  /// Sends the pending changes immediately, for example after the user has signed in.
  public func retryNow() { wake?.yield() }

  private func connectionChanged(to isOnline: Bool) {
    self.isOnline = isOnline
    if isOnline { wake?.yield() }
  }
}
