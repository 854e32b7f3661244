public import Foundation

/// Plans push notifications to the devices of members.
///
/// For each device, the store records an event, which becomes a run that sends the push.
public protocol PushPlans: Sendable {
  /// Plans the pushes of messages.
  func plan(messages: [UUID]) async throws

  /// Plans the pushes of first arrivals.
  func plan(arrivals: [Int64]) async throws
}
