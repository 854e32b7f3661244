package import Foundation
import Synchronization

/// Stores the results of an effect's durable steps, as JSON.
package protocol StepStore: Sendable {
  /// Throws an error if the step cannot be performed now, for example inside one of the job's
  /// transactions.
  func check(step name: String) throws

  /// Returns the stored results of the run's steps, by step name.
  func readSteps() async throws -> [String: String]

  /// Stores the result of a step, if the run still belongs to this attempt.
  func storeStep(_ name: String, _ result: String) async throws

  /// Searches for the event that a step waits for, and stores the wait or the step's result.
  func search(for event: AwaitedEvent) async throws -> AwaitedEvent.Outcome

  /// The time that determines whether a sleep has ended.
  var now: Date { get }
}

/// The durable steps of an effect's run during one attempt.
///
/// The stored results are read before the first step of the attempt. If the effect does not perform
/// any steps, nothing is read.
package final class EffectSteps: Sendable {
  private struct Content {
    /// The names of the steps that this attempt has begun.
    var begun: Set<String> = []
    /// The results that earlier attempts have stored, or nil if the results have not been read yet.
    var stored: [String: String]?
    /// The error for the first result that could not be stored.
    var failure: (any Error)?
  }

  let store: any StepStore
  private let content = Mutex(Content())

  /// Creates the steps of an attempt, without reading the stored results.
  package init(_ store: any StepStore) { self.store = store }

  /// Begins a step, and returns the stored result, or nil if the step must be performed.
  ///
  /// - Throws: ``RepeatedStep``, `CancellationError`, the error from ``StepStore/check(step:)``, or
  ///   the error for a result that this attempt could not store. If a result cannot be stored,
  ///   another attempt may have claimed the run, so this attempt does not begin any further steps.
  func begin(_ name: String, of header: RunHeader) async throws -> String? {
    try Task.checkCancellation()
    try store.check(step: name)
    let (isNew, stored, failure) = content.withLock {
      ($0.begun.insert(name).inserted, $0.stored, $0.failure)
    }
    if let failure { throw failure }
    guard isNew else { throw RepeatedStep(step: name, header) }
    if let stored { return stored[name] }
    // Two steps that begin concurrently may both read the stored results.
    let read = try await store.readSteps()
    content.withLock { $0.stored = read }
    return read[name]
  }

  /// The time that determines whether a sleep has ended.
  var now: Date { store.now }

  /// Stores the result of a step that has been performed.
  func end(_ name: String, _ result: String) async throws {
    do {
      try await store.storeStep(name, result)
    } catch {
      fail(error)
      throw error
    }
  }

  /// Records the error for a result that could not be stored, so that no further steps begin.
  func fail(_ error: any Error) {
    content.withLock { $0.failure = $0.failure ?? error }
  }
}

extension RunHeader {
  /// Performs a step and stores its result, or returns the stored result.
  func step<Result: Codable & Sendable>(
    _ name: String, _ perform: (String) async throws -> Result
  ) async throws -> Result {
    guard Self.isName(name) else { throw InvalidStepName(step: name, self) }
    if let stored = try await steps?.begin(name, of: self) {
      do {
        return try StoredJSON.decode(Result.self, from: stored)
      } catch {
        throw UnreadableStepResult(step: name, self, error)
      }
    }
    let result = try await perform("\(id)/\(name)")
    let json: Data
    do {
      json = try StoredJSON.encode(result)
    } catch {
      throw UnstorableStepResult(step: name, self, error)
    }
    guard json.count <= StoredJSON.mostBytes else {
      throw UnstorableStepResult(step: name, self, bytes: json.count)
    }
    try await steps?.end(name, String(decoding: json, as: UTF8.self))
    return result
  }

  /// Stores the end time of a sleep as a step, and postpones the run until that time.
  func sleep(_ name: String, until instant: Date) async throws {
    let end = try await step(name) { _ in instant }
    guard let now = steps?.now, end > now else { return }
    // `now` is only an estimate of the server's time. The margin of 50 ms prevents the next attempt
    // from starting a few milliseconds before the sleep ends.
    //
    // A `Duration` of an infinite or very large number of seconds would end the process.
    let wake = min(end, now.addingTimeInterval(Duration.longestWait / .seconds(1)))
    throw Snooze(
      for: .seconds(wake.timeIntervalSince(now)) + .milliseconds(50),
      reason: "the step \(name) sleeps until \(wake.formatted(.iso8601))")
  }

  /// Whether the string is a valid step name.
  ///
  /// The name is part of an idempotency key, so only characters that HTTP headers can contain are
  /// allowed.
  static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

/// The stored result of a step that returns no value.
struct NoStepResult: Codable, Sendable {}
