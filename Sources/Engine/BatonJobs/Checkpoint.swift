import Foundation
import Synchronization

/// A run's stored state and progress during one attempt.
///
/// The runner reads the checkpoint in the first transaction of the attempt, and saves changes in
/// the transaction of each step.
package final class Checkpoint: Sendable {
  /// The part of a checkpoint that has not been saved yet.
  package struct Change: Sendable, Equatable {
    /// The state as JSON, or nil if the state has not changed.
    package var state: String?
    /// The completed and the total number of units in the reported progress, or nil if no progress
    /// was reported.
    package var done, total: Int64?
  }

  private struct Content {
    var isStored = false
    var state: String?
    var change = Change()
  }

  private let content = Mutex(Content())

  /// Creates the checkpoint for a run without a stored state.
  package init() {}

  /// Initializes the checkpoint from the stored state in `rows`, which is empty if nothing is
  /// stored.
  package func begin(_ rows: [String?]) {
    content.withLock {
      $0 = Content(isStored: !rows.isEmpty, state: rows.first.flatMap { $0 })
    }
  }

  /// Whether the checkpoint is stored in the database, possibly by the current transaction.
  package var isStored: Bool { content.withLock { $0.isStored } }

  /// The part of the checkpoint that has not been saved yet, or nil if nothing has changed.
  package var unsaved: Change? {
    content.withLock { $0.change == Change() ? nil : $0.change }
  }

  /// Marks all changes as saved by the current transaction.
  package func save() {
    content.withLock {
      guard $0.change != Change() else { return }
      $0.isStored = true
      $0.change = Change()
    }
  }

  /// The state as JSON, or nil if no state is stored.
  var state: String? { content.withLock { $0.state } }

  func store(_ json: String) {
    content.withLock {
      guard $0.state != json else { return }
      $0.state = json
      $0.change.state = json
    }
  }

  func report(done: Int64, total: Int64) {
    content.withLock { ($0.change.done, $0.change.total) = (done, total) }
  }
}

extension RunHeader {
  /// Returns the state from the last committed step, or a new state if no state is stored.
  ///
  /// - Throws: ``UnreadableState``, or any error that the state's decoder throws.
  func storedState<State: StepState>() throws -> State {
    guard let type = State.self as? any StoredState.Type, let json = checkpoint?.state else {
      return State()
    }
    guard let state = try Self.decode(type, json) as? State else { return State() }
    return state
  }

  private static func decode<State: StoredState>(_ type: State.Type, _ json: String) throws -> State
  {
    do {
      return try StoredJSON.decode(type, from: json)
    } catch {
      throw UnreadableState(error)
    }
  }

  /// Stores a state with the current step, if the state is a ``StoredState``.
  ///
  /// - Throws: ``StateTooLarge``, or any error that the state's encoder throws.
  func store<State: StepState>(_ state: State) throws {
    guard let checkpoint, let state = state as? any StoredState else { return }
    let json = try StoredJSON.encode(state)
    guard json.count <= StoredJSON.mostBytes else {
      throw StateTooLarge(job: job, run: id, bytes: json.count)
    }
    checkpoint.store(String(decoding: json, as: UTF8.self))
  }
}

/// The error for a stored state that the job cannot decode.
package struct UnreadableState: Error, Sendable, CustomStringConvertible {
  /// The error text, such as `the stored state cannot be read: position is missing`.
  package let description: String

  init(_ error: any Error) {
    description = "the stored state cannot be read: \(StoredJSON.problem(error))"
  }
}

/// The error for a state that is too large to be stored.
struct StateTooLarge: Error, CustomStringConvertible {
  let job: String
  let run: Int64
  let bytes: Int

  var description: String {
    "the state of a step has \(bytes) bytes of JSON, and at most \(StoredJSON.mostBytes) are stored "
      + "(job \(job), run \(run)): keep only a position in the state, and the data in a table"
  }
}
