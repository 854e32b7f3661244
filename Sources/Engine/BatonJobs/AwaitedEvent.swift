/// An event that a step in an effect job waits for.
package struct AwaitedEvent: Sendable, Equatable {
  /// The result of one search for the awaited event.
  package enum Outcome: Sendable, Equatable {
    /// The wait is over, and the associated value is the step's stored result, as JSON.
    case decided(String)
    /// No event has been sent yet, and the wait ends at the given time.
    case waiting(left: Duration, until: String)
    /// In an earlier attempt, the step waited for another event, which has this topic and key.
    case changed(topic: String, key: String)
  }

  /// The name of the step.
  package let step: String
  /// The topic of the event.
  package let topic: String
  /// The key of the event.
  package let key: String
  /// The time from the first search until the wait ends without an event.
  package let timeout: Duration

  /// Creates the event for a step, with a timeout between zero and ten years.
  package init(step: String, topic: String, key: String, timeout: Duration) {
    self.step = step
    self.topic = topic
    self.key = key
    self.timeout = max(.zero, min(timeout, .longestWait))
  }

  /// Returns the JSON of an event's payload.
  ///
  /// - Throws: `EncodingError`.
  package static func json(_ payload: some Encodable) throws -> String {
    String(decoding: try StoredJSON.encode(payload), as: UTF8.self)
  }

  /// The maximum size of an event's key in bytes, which is also the maximum for a run's key.
  private static let longestKey = 256

  /// Whether `send_event` accepts the topic and the key.
  var isValid: Bool {
    RunHeader.isName(topic) && (1...Self.longestKey).contains(key.utf8.count)
      && key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

extension EffectSteps {
  /// Searches for an event, and stores the wait or the step's result.
  func search(for event: AwaitedEvent) async throws -> AwaitedEvent.Outcome {
    do {
      return try await store.search(for: event)
    } catch {
      fail(error)
      throw error
    }
  }
}

/// The stored result of a step that has waited for an event.
struct EventResult: Decodable {
  let topic: String
  let key: String
  /// Whether the wait has ended without an event.
  let isTimeout: Bool

  private enum CodingKeys: CodingKey {
    case topic, key, event, timedOut
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    topic = try fields.decode(String.self, forKey: .topic)
    key = try fields.decode(String.self, forKey: .key)
    isTimeout = try fields.decodeIfPresent(Bool.self, forKey: .timedOut) ?? false
    // A result without the `event` field was not stored by a wait, so decoding must fail.
    if !isTimeout { _ = try fields.decode(Int64.self, forKey: .event) }
  }
}

/// The payload in the stored result of a step that has waited for an event.
private struct EventPayload<Payload: Decodable>: Decodable {
  let payload: Payload
}

extension RunHeader {
  /// Waits for an event, and returns the stored result as JSON, or nil after the timeout.
  func wait(for event: AwaitedEvent) async throws -> String? {
    guard event.isValid else { throw InvalidAwaitedEvent(event, self) }
    guard Self.isName(event.step) else { throw InvalidStepName(step: event.step, self) }
    guard let result = try await result(of: event) else { return nil }
    let stored = try decode(EventResult.self, from: result, step: event.step)
    guard (stored.topic, stored.key) == (event.topic, event.key) else {
      throw ChangedWait(event, before: (stored.topic, stored.key), self)
    }
    return stored.isTimeout ? nil : result
  }

  /// Waits for an event, and returns its payload, or nil after the timeout.
  func wait<Payload: Decodable>(
    for event: AwaitedEvent, as type: Payload.Type
  ) async throws -> Payload? {
    guard let result = try await wait(for: event) else { return nil }
    return try decode(EventPayload<Payload>.self, from: result, step: event.step).payload
  }

  /// Returns the wait's stored result, or nil if a test has created the run.
  private func result(of event: AwaitedEvent) async throws -> String? {
    guard let steps else { return nil }
    if let stored = try await steps.begin(event.step, of: self) { return stored }
    switch try await steps.search(for: event) {
    case .decided(let result): return result
    case .changed(let topic, let key): throw ChangedWait(event, before: (topic, key), self)
    case .waiting(let left, let until):
      // The server decides whether the timeout has passed. The margin of 50 ms prevents the next
      // attempt from starting a few milliseconds before the timeout.
      throw Snooze(
        for: left + .milliseconds(50),
        reason:
          "the step \(event.step) waits for the event \(event.topic) '\(event.key)' until \(until)")
    }
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, from result: String, step: String
  ) throws -> Value {
    do {
      return try StoredJSON.decode(type, from: result)
    } catch {
      throw UnreadableStepResult(step: step, self, error)
    }
  }
}
