import BatonPostgres

extension ServerFailure {
  /// The exit code of a command that ends with this server failure.
  package var exitStatus: ExitStatus {
    switch self {
    case .unreachable, .unproven: .unavailable
    case .busy, .readOnly: .tryAgain
    case .refusedLogin, .notAllowed: .notAllowed
    case .schema, .publication, .unsupported: .configuration
    case .option, .value, .internalError, .fault: .fault
    }
  }
}
