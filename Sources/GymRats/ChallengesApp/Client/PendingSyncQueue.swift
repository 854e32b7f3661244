public import Challenges
public import Foundation
import ProductKit
import SHA256

/// Changes of one user's workouts that wait for the server, in a file that outlives the app.
///
/// docs/gymrats/client.md has its states, and what happens at each kill, loss and repeat.
public actor PendingSyncQueue {
  /// What became of a call of `enqueue`.
  public enum Enqueued: Hashable, Sendable {
    /// It is in the file, on the disk.
    case queued
    /// It was there.
    case alreadyQueued
    /// The user shares nothing, so nothing was written down.
    case ignoredPrivacy
  }

  /// Whose workouts these are.
  public nonisolated let userId: String
  /// A file from before that could not be read; an app reports it.
  public nonisolated let unreadable: UnreadableFile?
  /// The most changes that wait.
  public nonisolated let capacity: Int

  private let file: DurableFile
  private let format: PendingSyncFile
  /// nil: closed.
  private var lock: FileLock?
  private let time: SyncTime
  private let backoff: Backoff
  /// After so many failures of its own a change is dropped.
  private let mostFailures: Int

  private var changes: [PendingChange]
  private var isProcessing = false
  private var wasCalledMeanwhile = false
  /// Passes in a row that the network ended.
  private var lostConnections = 0
  /// Workouts that failed, and until when they wait.
  private var waits: [[UInt8]: Duration] = [:]
  private var isOnline = false
  private var wake: AsyncStream<Void>.Continuation?
  /// Wakes `run` when the next attempt is due, whichever call made the last one.
  private var pause: Task<Void, Never>?

  /// Opens the queue of a user, with the changes that were pending when the last process ended.
  ///
  /// - Parameters:
  ///   - folder: on the phone's own disk, kept from backups and not shared with extensions.
  ///   - userId: the signed-in user. Each user has a file.
  ///   - capacity: the most pending changes.
  /// - Throws: `PendingSyncError.inUse`, or an error of the file system.
  public init(
    folder: URL, userId: String, capacity: Int = 1_000, mostFailures: Int = 100,
    backoff: Backoff = Backoff(), time: SyncTime = .system
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A digest, because an id may hold what a file's name cannot.
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
      // A file that cannot be read may still be good, so it is not replaced.
      throw failure
    } catch {
      return ([], UnreadableFile(path: try file.putAside(), reason: "\(error)"))
    }
  }

  /// The pending changes, oldest first.
  public var pending: [PendingChange] { changes }

  /// Releases the file for the next queue that opens it; pending changes stay in it.
  ///
  /// Releasing the last reference to the queue does the same, but some time later.
  public func close() {
    lock = nil
    wake?.finish()
  }

  // MARK: Filling

  /// Puts a workout, or an edit of one, into the queue; it is on the disk when this returns.
  ///
  /// - Throws: `PendingSyncError`, or what the file system says; then the queue is as before.
  @discardableResult
  public func enqueue(
    _ entry: WorkoutHistoryEntry, privacy: PrivacySettings
  ) throws -> Enqueued {
    guard privacy.shareWorkoutData else { return .ignoredPrivacy }
    return try add(PendingChange(recording: entry))
  }

  /// Puts a deletion into the queue; its revision is higher than the workout's.
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

  /// Sends the pending changes one after the other, until one has to wait.
  ///
  /// Only one pass runs at a time. The changes of one workout are sent in their order: if one fails, the later ones
  /// wait. A final answer removes its change from the queue, whatever the answer is.
  public func processQueue(syncUseCase: SyncWorkoutCompletionUseCase) async -> SyncReport {
    var report = SyncReport()
    report.remaining = changes.count
    guard !isProcessing else {
      // The reason why the running pass stops may be gone by now: it runs once more.
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
    // From here to the end nothing is awaited: what is added now wakes a new pass.
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

  /// The oldest change that need not wait, neither for itself nor for an earlier change of its workout.
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

  /// Counts a failure of unknown cause: other workouts are sent first, and after too many failures it gives up.
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
      // Another queue may have the file by now.
      guard lock != nil else { throw PendingSyncError.closed }
      try file.replace(with: try format.bytes(of: changes))
    } catch {
      // The next process sends it again and gets the same answer again.
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

  /// Sends pending changes whenever it may succeed.
  ///
  /// That is when the network came back, a change was added, or a pause is over. It ends with its task. Only one call
  /// runs at a time; another call returns at once.
  ///
  /// - Parameter tell: called with the report of each pass.
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

  /// Makes `run` try at once, for example after the user has signed in.
  public func retryNow() { wake?.yield() }

  private func connectionChanged(to isOnline: Bool) {
    self.isOnline = isOnline
    if isOnline { wake?.yield() }
  }
}
