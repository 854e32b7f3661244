import Baton
import CVersion

#if HTTP
  import BatonOperations
#endif

/// The `baton` program, which creates packages and operates the schema of any program built with
/// Baton.
///
/// The program contains no jobs.
@main
struct EngineProgram: EngineApplication {
  static let name = "baton"
  static let abstract =
    "Creates programs with background jobs on PostgreSQL, and operates their schemas."
  static let version = String(cString: baton_version())
  static let jobs: [RegisteredJob] = []

  #if HTTP
    static let http: (any HTTPFront)? = OperationsServer()
  #endif
}
