/// The program as it names itself.
enum Program {
    static let version = "0.1.0"
}
