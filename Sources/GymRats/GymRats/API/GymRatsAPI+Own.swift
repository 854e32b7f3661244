#if HTTP
  import Challenges
  import ChallengesPostgres
  import Foundation
  import ProductAPI
  import ProductKit

  /// The routes for the caller's own workouts, notifications and events.
  extension GymRatsAPI {
    static let ownRoutes = [
      Route(
        "PUT", "/v1/workouts/{workout}",
        "Records a workout, an edited workout or a workout that is sent again.",
        calls: ["record_workout"], body: .workout, response: .object(.answer)
      ) { api, call in
        let workout = try call.read(Workout.self, as: Format.self)
        return try .entity(
          try await api.repositories(call).workouts.recordWorkout(
            WorkoutHistoryEntry(
              id: call.text("workout"), performedAt: workout.performedAt,
              utcOffsetSeconds: workout.utcOffsetSeconds, revision: workout.revision ?? 0)))
      },
      Route(
        "DELETE", "/v1/workouts/{workout}", "Deletes a workout.", calls: ["delete_workout"],
        query: ["revision": .integer(0...Int64(Int32.max))], response: .object(.answer)
      ) { api, call in
        try .entity(
          try await api.member(call).deleteWorkout(
            call.text("workout"), revision: call.number("revision")))
      },
      Route(
        "GET", "/v1/notifications",
        "Returns a page of notifications, newest first; `next` is the `before` of the next page.",
        calls: ["notifications"], query: ["before": .text(1...64), "limit": .integer(1...200)],
        response: .object(.notificationPage)
      ) { api, call in
        let limit = call.number("limit") ?? 50
        let found = try await api.member(call).notifications(
          before: try call.optional("before").map(position), limit: limit)
        return try .entity(NotificationPage(found, limit: limit))
      },
      Route(
        "GET", "/v1/notifications/badge", "Returns the number of unread notifications.",
        calls: ["badge"], response: .object(.badge)
      ) { api, call in
        try .entity(["count": try await api.repositories(call).notifications.badgeCount()])
      },
      Route(
        "POST", "/v1/notifications/read", "Marks notifications as read.", calls: ["mark_read"],
        body: .ids
      ) { api, call in
        try await api.repositories(call).notifications.markAsRead(
          try call.read(Ids.self, as: Format.self).ids)
        return .done
      },
      Route(
        "POST", "/v1/events", "Counts a client event; the event's id makes the call idempotent.",
        calls: ["report_client_event"], body: .event, response: .object(.stored)
      ) { api, call in
        let event = try call.read(Event.self, as: Format.self)
        return try .entity(
          ["isStored": try await api.repositories(call).analytics.report(try event.checked)])
      },
    ]

    private struct Workout: Decodable {
      let performedAt: Date?
      let utcOffsetSeconds: Int?
      let revision: Int?
    }

    private struct Ids: Decodable { let ids: [String] }

    private struct Event: Decodable {
      let id: UUID
      let kind: String
      let milliseconds: Int?

      var checked: ClientEvent {
        get throws {
          switch (kind, milliseconds) {
          case ("writeFailed", nil): ClientEvent(.writeFailed, id: id)
          case ("linkFailed", nil): ClientEvent(.linkFailed, id: id)
          case ("boardFetched", let time?): ClientEvent(.boardFetched(milliseconds: time), id: id)
          default: throw DomainError.invalidInput
          }
        }
      }
    }

    /// Parses a page's position, which is the time and the id of the previous page's last
    /// notification.
    private static func position(_ text: String) throws -> (time: Date, id: Int64) {
      guard let position = PagePosition(text), let id = Int64(position.id) else {
        throw DomainError.invalidInput
      }
      return (position.time, id)
    }
  }

  /// A page of notifications.
  private struct NotificationPage: Encodable {
    let notifications: [GroupNotification]
    /// The position of the next page, or nil on the last page.
    let next: String?

    init(_ notifications: [GroupNotification], limit: Int) {
      self.notifications = notifications
      next = notifications.lastOfFullPage(limit).flatMap {
        PagePosition(time: $0.createdAt, id: $0.id)?.text
      }
    }
  }
#endif
