import Testing

@testable import BatonPostgres

/// Over a network, the server must prove its identity, unless the configuration permits otherwise.
struct ConnectionConfigurationTests {
  private func options(_ address: String) -> [String: String] {
    Dictionary(
      ConnectionConfiguration(address: address).options.map { ($0.keyword, $0.value) }
    ) { $1 }
  }

  @Test(
    arguments: [
      "postgresql://db.example.org/app", "host=db.example.org", "host=10.0.0.5",
      "hostaddr=10.0.0.5", "postgresql://a.example.org,b.example.org/app",
      "host=/tmp,db.example.org", "host=localhost hostaddr=10.0.0.5", "host=127.example.org",
      "host=::2", "postgresql://[2001:db8::1]/app", "host=db.example.org hostaddr=127.0.0.1",
      "host=localhost,db.example.org hostaddr=127.0.0.1,127.0.0.1",
    ])
  func `a remote server must prove who it is`(address: String) {
    #expect(options(address)["sslmode"] == "verify-full")
    #expect(ConnectionConfiguration(address: address).warning == nil)
  }

  @Test(
    arguments: [
      "postgresql:///app?host=/tmp", "host=/var/run/postgresql", "host=@abstract",
      "host=localhost", "postgresql://127.0.0.1:5433/app", "host=127.0.0.2", "postgresql://[::1]/a",
      "hostaddr=127.0.0.1", "host=localhost hostaddr=127.0.0.1", "host=localhost,127.0.0.1,/tmp",
    ])
  func `a server on this machine need not`(address: String) {
    for option in ["sslmode", "gssencmode", "channel_binding"] {
      #expect(options(address)[option] == nil)
    }
    #expect(ConnectionConfiguration(address: address).warning == nil)
  }

  @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
  func `an explicit weaker mode is obeyed with a warning`(mode: String) {
    for address in [
      "postgresql://db.example.org/app?sslmode=\(mode)", "host=db.example.org sslmode=\(mode)",
    ] {
      let configuration = ConnectionConfiguration(address: address)
      #expect(options(address)["sslmode"] == nil)
      #expect(configuration.warning?.contains("sslmode=\(mode)") == true)
      #expect(configuration.warning?.contains("verify-full") == true)
    }
  }

  @Test(arguments: ["TLSv1", "TLSv1.1"])
  func `an explicit old protocol is obeyed with a warning`(version: String) {
    let address = "host=db.example.org ssl_min_protocol_version=\(version)"
    #expect(ConnectionConfiguration(address: address).warning?.contains(version) == true)
    let newer = "host=db.example.org ssl_min_protocol_version=TLSv1.3"
    #expect(ConnectionConfiguration(address: newer).warning == nil)
  }

  // MARK: Who stands between

  @Test(arguments: [
    "host=db.example.org", "host=db.example.org sslmode=verify-full",
    "host=db.example.org sslmode=verify-ca", "postgresql://db.example.org/app?sslmode=require",
    "postgresql://a.example.org,b.example.org/app",
  ])
  func `the channel is bound wherever a password may be asked for`(address: String) {
    #expect(options(address)["channel_binding"] == "require")
    #expect(options(address)["gssencmode"] == "disable")
  }

  @Test(arguments: [
    "host=db.example.org channel_binding=prefer", "host=db.example.org sslmode=prefer",
    "host=db.example.org sslmode=disable", "host=db.example.org sslcert=/etc/gymrats/client.crt",
    "host=/tmp,db.example.org", "host=/tmp", "host=localhost",
  ])
  func `the channel is not bound where somebody chose less, or it cannot be`(address: String) {
    #expect(options(address)["channel_binding"] == nil)
  }

  @Test func `Kerberos may encrypt where somebody says so`() {
    #expect(options("host=db.example.org gssencmode=prefer")["gssencmode"] == nil)
  }

  @Test func `programs that are started are told the same`() throws {
    let far = try ConnectionConfiguration(address: "host=db.example.org user=u").environment
    #expect(far["PGHOST"] == "db.example.org" && far["PGUSER"] == "u")
    #expect(far["PGSSLMODE"] == "verify-full" && far["PGGSSENCMODE"] == "disable")
    #expect(far["PGCHANNELBINDING"] == "require" && far["PGPASSWORD"] == nil)
    let near = try ConnectionConfiguration(address: "host=/tmp").environment
    #expect(near["PGSSLMODE"] == nil && near["PGCHANNELBINDING"] == nil)
  }

  @Test(arguments: [
    "postgresql://u:p@ss@host/db", "postgresql://u:p/ss@host/db", "postgresql://u:p?s@s@host/db",
    "postgresql://u:a@b@c@host/db?sslmode=disable", "postgresql://u@h/d@b", "postgresql://u:pass",
    "postgresql://u:pass/db",
  ])
  func `a URL that is cut in its password is refused before anybody says a part of it`(
    address: String
  ) {
    #expect(!ConnectionConfiguration(address: address).isWellFormed)
  }

  @Test(arguments: [
    "postgresql://u:p%40ss%2Fw@host/db", "postgresql://u:p?ss@host/db", "postgresql://u:a:b#c@h/d",
    "postgresql:///db?host=@abstract", "postgresql://h/db?application_name=a@b",
    "postgresql://u:p@h/db?application_name=a@b", "postgresql://postgres@/db?host=/tmp/a",
    "postgresql://h", "postgresql://a:1,b:2/db", "host=h password='a@b/c'", "app",
  ])
  func `what libpq reads as it is meant is not`(address: String) {
    #expect(ConnectionConfiguration(address: address).isWellFormed)
  }

  @Test func `verify-full by hand, or any mode on this machine, is no warning`() {
    for address in [
      "host=db.example.org sslmode=verify-full", "host=/tmp sslmode=disable",
      "postgresql://localhost/app?sslmode=prefer",
    ] {
      #expect(ConnectionConfiguration(address: address).warning == nil)
    }
  }

  @Test func `the address comes behind the defaults, so that it wins, and UTF-8 behind all`() {
    let address = "host=/tmp connect_timeout=60 client_encoding=LATIN1"
    let keywords = ConnectionConfiguration(address: address).options.map(\.keyword)
    #expect(keywords.suffix(2) == ["dbname", "client_encoding"])
    #expect(keywords.contains("connect_timeout"))
    #expect(options(address)["dbname"] == address)
    #expect(options(address)["client_encoding"] == "UTF8")
  }

  @Test func `a dead peer is noticed in seconds`() {
    let options = options("host=/tmp")
    #expect(options["tcp_user_timeout"] == "10000")
    #expect(options["keepalives_idle"] == "5")
    #expect(options["keepalives_interval"] == "3")
    #expect(options["keepalives_count"] == "3")
  }
}
