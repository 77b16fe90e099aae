import Foundation

/// Not every platform has libcurl: what names it, or the types around it, stands under `#if canImport(CCurl)`. The
/// compiler on Linux does not notice where that was forgotten.
enum PortabilityRule {
    private static let folders = ["Sources/OmbiCore/", "Sources/OmbiURLSession/"]
    private static let condition = "#if canImport(CCurl)"

    static func covers(_ file: SourceFile) -> Bool { folders.contains(where: file.path.hasPrefix) }

    static func violations(in file: SourceFile) -> [String] {
        var branches: [String] = []
        var found: [String] = []
        for (index, line) in file.text.components(separatedBy: "\n").enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#if") {
                branches.append(line)
            } else if line.hasPrefix("#else"), let branch = branches.popLast() {
                branches.append("not \(branch)")
            } else if line.hasPrefix("#endif") {
                _ = branches.popLast()
            } else if !branches.contains(condition), let word = words(in: line).first(where: isOfLibcurl) {
                found.append("\(file.path):\(index + 1): names \(word) without \(condition)")
            }
        }
        return found
    }

    private static func isOfLibcurl(_ word: Substring) -> Bool {
        word == "CCurl" || (word.hasPrefix("Curl") && word.dropFirst(4).first?.isUppercase == true)
    }

    private static func words(in line: String) -> [Substring] {
        line.components(separatedBy: "//")[0].split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
