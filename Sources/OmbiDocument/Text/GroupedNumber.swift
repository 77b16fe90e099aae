/// Numbers formatted for people.
enum GroupedNumber {
    /// Returns a number with a comma between thousands.
    static func text(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var result = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }

    /// Returns a size such as `123 kB`, and from a million bytes on `1.2 MB`.
    static func bytes(_ count: Int) -> String {
        if count < 1_000_000 { return "\(text(count / 1000)) kB" }
        let tenths = count / 100_000
        return "\(text(tenths / 10)).\(tenths % 10) MB"
    }
}
