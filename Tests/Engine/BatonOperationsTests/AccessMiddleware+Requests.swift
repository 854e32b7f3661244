import Logging
import Testing

@testable import Baton
@testable import BatonOperations

extension AccessMiddleware {
  /// Returns a middleware without a log.
  static func on(
    _ address: String = "127.0.0.1:8080", token: HTTPToken? = nil, users: HTTPUsers? = nil
  ) throws -> AccessMiddleware {
    let address = try #require(HTTPAddress(address))
    return AccessMiddleware(
      HTTPSettings(
        address: address, hosts: Set(address.names), token: token, users: users,
        proxies: try TrustedProxies([]), isReadOnly: false),
      logger: Logger(label: "middleware") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Returns 200 if the middleware admits the request.
  func status(of request: Request) -> Int {
    switch admit(request) {
    case .refused(let response): response.status
    case .admitted: 200
    }
  }

  /// Returns the principal of the request, or nil if the request is anonymous or refused.
  func principal(of request: Request) -> Principal? {
    guard case .admitted(let principal) = admit(request) else { return nil }
    return principal
  }
}
