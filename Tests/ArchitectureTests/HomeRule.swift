/// One rule of the sources, as a row of a table: functions of the system or the language that one place alone uses.
struct HomeRule: Sendable, CustomStringConvertible {
    /// The names that the rule is about.
    let names: Set<String>
    /// The only places that may use them: beginnings of paths below the root of the repository.
    let homes: [String]
    let why: String

    var description: String { why }

    func violations(in file: SourceFile) -> [String] {
        guard !homes.contains(where: file.path.hasPrefix), names.contains(where: { file.text.contains($0) }) else {
            return []
        }
        let lines = SwiftCode.of(file.text).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line -> [String] in
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            return words.filter(names.contains).map { "\(file.path):\(index + 1): uses \($0): \(why)" }
        }
    }
}

extension HomeRule {
    static let all: [HomeRule] = [
        HomeRule(
            names: ["dlopen"], homes: ["Sources/OmbiBase/SharedLibrary.swift"], why: "SharedLibrary loads all libraries"
        ),
        HomeRule(
            names: ["pthread_create"], homes: ["Sources/OmbiBase/DetachedThread.swift"],
            why: "DetachedThread creates all threads that Dispatch does not"),
        HomeRule(
            names: ["pthread_mutex_lock", "os_unfair_lock_lock", "NSLock", "Mutex"],
            homes: ["Sources/OmbiCore/Concurrency/Lock.swift"], why: "Lock guards all that several threads share"),
        HomeRule(
            names: ["Regex", "RegexBuilder", "NSRegularExpression", "firstMatch", "wholeMatch"], homes: [],
            why: "OmbiDocument/Find has the one engine of patterns, which takes linear time"),
    ]
}
