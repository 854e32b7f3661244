#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI

  /// The routes for blocks, reports and the export of the caller's data.
  extension WhosThereAPI {
    static let safetyRoutes = [
      Route(
        "GET", "/v1/me/blocks", "Returns the blocked users, newest block first.",
        calls: ["blocked_users"], response: .list(.object(.blockedUser), most: 1_000)
      ) { api, call in try .entity(try await api.database.safety(for: call.user).blockedUsers()) },
      Route(
        "PUT", "/v1/me/blocks/{user}", "Blocks a user.", calls: ["block_user"]
      ) { api, call in
        try await api.database.safety(for: call.user).block(userId: call.text("user"))
        return .done
      },
      Route(
        "DELETE", "/v1/me/blocks/{user}", "Ends a block.", calls: ["unblock_user"]
      ) { api, call in
        try await api.database.safety(for: call.user).unblock(userId: call.text("user"))
        return .done
      },
      Route(
        "POST", "/v1/reports",
        "Reports a user or a message to operators; the Idempotency-Key is the UUID of the report.",
        calls: ["report_user"], key: .required, body: .report
      ) { api, call in
        let report = try call.read(Report.self, as: Format.self)
        guard let id = UUID(uuidString: call.key ?? "") else {
          throw AppError.invalidInput("the id of a report is a UUID")
        }
        try await api.database.safety(for: call.user).report(
          UserReport(
            groupId: report.groupId, userId: report.userId, reason: report.reason,
            note: report.note ?? "", messageId: report.messageId, id: id))
        return .done
      },
      Route(
        "GET", "/v1/me/export", "Returns the data that is stored about the user.",
        calls: ["export_my_data"], response: .object(.export)
      ) { api, call in
        let member = api.member(call)
        return try await .export { try await member.export(after: $0) }
      },
    ]

    private struct Report: Decodable {
      let groupId: String
      let userId: String
      let reason: ReportReason
      let note: String?
      let messageId: UUID?
    }
  }
#endif
