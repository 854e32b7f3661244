import BatonLive
import BatonPostgres
import Foundation
import Presence
import PresencePostgres

/// Signs a user in, creates a group at a place and checks the user in there.
///
/// Returns the present users.
func place(
  of group: String, by name: String, at configuration: ConnectionConfiguration, _ schema: Schema
) async throws -> [String] {
  let database = PresenceDatabase(configuration, schema: schema, live: LiveOptions())
  let user = try await database.accounts.signIn(.google, subject: name, displayName: name)
  let center = try Coordinate(latitude: 52.5, longitude: 13.4)
  _ = try await database.groups(for: user.id).createGroup(
    id: group, name: group, shape: .circle(center: center, radius: 100), isPublic: true,
    timeZone: "UTC")
  let presences = database.presences(for: user.id)
  let answer = try await presences.send(
    PresenceCommand(groupId: group, action: .checkIn, source: .manual, at: Date()))
  let place = try await presences.presences(of: group)
  await database.close()
  return ["\(answer.outcome)"]
    + place.presences.map { "\($0.userId == user.id ? name : $0.userId) \($0.source)" }
}
