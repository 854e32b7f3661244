#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI

  extension WhosThereAPI {
    static let streamRoutes: [Route] = [
      .tickets(),
      .stream(
        "/v1/groups/{group}/presence/stream",
        "Streams the users who are at a group's place; each event contains all of them.",
        calls: [
          "changed_places", "observed_presences", "hidden_members", "refused_viewers",
          "ended_sessions",
        ],
        event: .object(.snapshot)
      ) { api, call in
        let places = api.streams.placeStream(of: call.text("group"), for: call.access.viewer)
        return SnapshotEvents(places, after: call.lastEventID) { place, version, encoding in
          try .snapshot(
            id: version, own: OwnPart(place), shared: SharedPart(place), encoding,
            as: WireFormat.self)
        }
      },
      .stream(
        "/v1/groups/{group}/messages/stream",
        "Streams new and deleted messages; a resumed stream continues after the last event.",
        calls: [
          "changed_chats", "observed_chats", "messages", "hidden_members", "refused_viewers",
          "ended_sessions",
        ], event: .object(.messageEvent)
      ) { api, call in
        let group = call.text("group")
        let chat = api.database.chat(for: call.user)
        return ChatEvents(
          api.streams.chatStream(of: group, for: call.access.viewer), after: call.lastEventID
        ) { last, limit in
          try await chat.messages(
            of: group, before: last.map { (time: $0.sentAt, id: $0.id) }, limit: limit)
        }
      },
    ]

    /// The fields of a place that differ between viewers or between events with the same version.
    private struct OwnPart: Encodable {
      let own: Presence?
      let takenAt: Date

      init(_ place: PresenceSnapshot) { (own, takenAt) = (place.own, place.takenAt) }
    }

    /// The fields of a place that are the same for all viewers.
    private struct SharedPart: Encodable {
      let summary: GroupPresenceSummary
      let presences: [Presence]

      init(_ place: PresenceSnapshot) { (summary, presences) = (place.summary, place.presences) }
    }
  }
#endif
