/// Breaks a text into lines between its words.
package enum WrappedText {
    package static func lines(of text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            if let last = lines.last, TextWidth.of(last) + 1 + TextWidth.of(word) <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
