/// The program as it names itself.
enum Program {
    static let version = "0.1.0"
    /// The date of the version, as manual pages show it.
    static let date = "November 28, 2026"
}
