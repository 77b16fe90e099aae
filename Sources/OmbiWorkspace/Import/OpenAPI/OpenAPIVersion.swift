/// The versions whose documents differ.
enum OpenAPIVersion: Sendable {
    case two, threeZero, threeOne

    init?(_ text: String) {
        if text == "2" || text.hasPrefix("2.") {
            self = .two
        } else if text == "3" || text.hasPrefix("3.0") {
            self = .threeZero
        } else if text.hasPrefix("3.") {
            self = .threeOne
        } else {
            return nil
        }
    }
}
