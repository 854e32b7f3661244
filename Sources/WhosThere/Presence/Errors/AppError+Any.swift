import Foundation

extension AppError {
  /// Converts any error into an app error.
  ///
  /// URL loading errors and Core Location errors are recognized by their domain and code, so that
  /// this module does not have to import Core Location.
  public init(_ error: any Error) {
    if let error = error as? AppError {
      self = error
      return
    }
    let known = error as NSError
    switch known.domain {
    case "NSURLErrorDomain" where Self.urlCodes.contains(known.code): self = .networkUnavailable
    case "NSPOSIXErrorDomain" where Self.socketCodes.contains(known.code):
      self = .networkUnavailable
    case "kCLErrorDomain" where known.code == 1: self = .locationDenied
    // The codes 0 and 2 mean that the position is currently unknown, and that no network is
    // available.
    case "kCLErrorDomain" where [0, 2].contains(known.code): self = .locationUnavailable
    default: self = .serverError(underlying: error)
    }
  }

  /// The `URLError` codes for timeouts, unknown hosts, lost connections and devices without a
  /// network.
  private static let urlCodes: Set = [
    -1_001, -1_003, -1_004, -1_005, -1_006, -1_009, -1_018, -1_019, -1_020,
  ]

  /// The socket error codes for timeouts, unknown hosts, lost connections and devices without a
  /// network.
  private static let socketCodes: Set<Int> = Set(
    [
      POSIXErrorCode.ENETDOWN, .ENETUNREACH, .ECONNABORTED, .ECONNRESET, .ETIMEDOUT, .ECONNREFUSED,
      .EHOSTDOWN, .EHOSTUNREACH, .EPIPE, .ENOTCONN,
    ].map { Int($0.rawValue) })
}
