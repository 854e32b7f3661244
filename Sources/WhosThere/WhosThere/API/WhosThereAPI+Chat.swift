#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI
  import ProductKit

  extension WhosThereAPI {
    static let chatRoutes = [
      Route(
        "POST", "/v1/groups/{group}/messages",
        "Sends a message, whose id is the UUID in the Idempotency-Key.",
        calls: ["send_message"], key: .required, body: .newMessage, response: .object(.message)
      ) { api, call in
        let text = try call.read(NewMessage.self, as: Format.self).text
        return try .entity(
          try await api.database.chat(for: call.user).send(
            MessageDraft(
              id: try uuid(call.key ?? ""), groupId: call.text("group"), text: text)))
      },
      Route(
        "GET", "/v1/groups/{group}/messages",
        "Returns a page of messages, newest first; `next` is the `before` of the next page.",
        calls: ["messages"], query: ["before": .text(1...64), "limit": .integer(1...100)],
        response: .object(.messagePage)
      ) { api, call in
        let limit = call.number("limit") ?? 50
        let found = try await api.database.chat(for: call.user).messages(
          of: call.text("group"), before: try call.optional("before").map(position), limit: limit)
        return try .entity(MessagePage(found, limit: limit))
      },
      Route(
        "DELETE", "/v1/groups/{group}/messages/{message}", "Deletes a message.",
        calls: ["delete_message"], values: ["message": .form(.uuid)]
      ) { api, call in
        try await api.database.chat(for: call.user).deleteMessage(
          try uuid(call.text("message")), groupId: call.text("group"))
        return .done
      },
    ]

    private struct NewMessage: Decodable { let text: String }

    private static func uuid(_ text: String) throws -> UUID {
      guard let id = UUID(uuidString: text) else {
        throw AppError.invalidInput("the id of a message is a UUID")
      }
      return id
    }

    /// Parses a page's position, which is the time and the id of the previous page's last message.
    private static func position(_ text: String) throws -> (time: Date, id: UUID) {
      guard let position = PagePosition(text) else {
        throw AppError.invalidInput("the position of a page")
      }
      return (position.time, try uuid(position.id))
    }
  }

  /// A page of messages.
  private struct MessagePage: Encodable {
    let messages: [Message]
    /// The position of the next page, or nil on the last page.
    let next: String?

    init(_ messages: [Message], limit: Int) {
      self.messages = messages
      next = messages.lastOfFullPage(limit).flatMap {
        PagePosition(time: $0.sentAt, id: $0.id.uuidString.lowercased())?.text
      }
    }
  }
#endif
