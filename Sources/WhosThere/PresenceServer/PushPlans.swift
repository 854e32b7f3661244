public import Foundation

/// Plans push notifications to the devices of members.
///
/// Each device gets an event, and the event becomes a run that sends the push.
public protocol PushPlans: Sendable {
  /// Plans the pushes of messages.
  func plan(messages: [UUID]) async throws

  /// Plans the pushes of first arrivals.
  func plan(arrivals: [Int64]) async throws
}
