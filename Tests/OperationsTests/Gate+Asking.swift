import Logging
import Testing

@testable import Baton
@testable import Operations

extension Gate {
  /// A gate that says nothing to a log.
  static func on(
    _ address: String = "127.0.0.1:8080", token: HTTPToken? = nil, password: HTTPPassword? = nil
  ) throws -> Gate {
    let address = try #require(HTTPAddress(address))
    return Gate(
      HTTPSettings(
        address: address, hosts: Set(address.names), token: token, password: password,
        isReadOnly: false), logger: Logger(label: "gate") { _ in SwiftLogNoOpLogHandler() })
  }

  /// 200 where the question goes through.
  func status(of question: Question) -> Int {
    switch admit(question) {
    case .refused(let answer): answer.status
    case .admitted: 200
    }
  }

  /// Who asks; nil: nobody in particular, or it is refused.
  func visitor(of question: Question) -> Visitor? {
    guard case .admitted(let visitor) = admit(question) else { return nil }
    return visitor
  }
}
