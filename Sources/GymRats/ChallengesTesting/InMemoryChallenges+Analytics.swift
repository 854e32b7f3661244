public import Challenges
public import Foundation

extension InMemoryChallenges {
  /// A phone's event that the server has counted.
  public struct ReportedEvent: Hashable, Sendable {
    /// The event that the phone sent.
    public let event: ClientEvent
    /// The time when the server received the event.
    public let reportedAt: Date
  }

  func report(_ actor: String?, _ event: ClientEvent) throws -> Bool {
    let user = try signedIn(actor)
    if case .boardFetched(let time) = event.kind, !(0...ClientEvent.longestFetch).contains(time) {
      throw DomainError.invalidInput
    }
    let known = clientEvents[user.id] ?? []
    guard !known.contains(where: { $0.event.id == event.id }) else { return true }
    let day = floor(now.timeIntervalSince1970 / 86_400)
    let today = known.filter { floor($0.reportedAt.timeIntervalSince1970 / 86_400) == day }
    guard today.count < settings.clientEventsADay else { return false }
    clientEvents[user.id, default: []].append(ReportedEvent(event: event, reportedAt: now))
    return true
  }

  func isBeta(_ actor: String?) throws -> Bool {
    settings.betaShare?.contains(try signedIn(actor).id) ?? false
  }
}
