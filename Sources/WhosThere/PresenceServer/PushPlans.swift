public import Foundation

/// Plans push notifications to members' devices.
///
/// For each device, the store records an event, which becomes a run that sends the push.
public protocol PushPlans: Sendable {
  /// Plans the pushes for messages.
  func plan(messages: [UUID]) async throws

  /// Plans the pushes for first arrivals.
  func plan(arrivals: [Int64]) async throws
}
