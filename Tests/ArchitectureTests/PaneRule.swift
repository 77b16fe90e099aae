import Foundation

/// Panes see values only, and no other pane. A pane is a file in `Panes`, or a folder with its tabs;
/// its types are those that end in `Pane`, which the files are named after.
enum PaneRule {
    private static let folder = "Sources/OmbiTUI/Panes/"

    static func covers(_ file: SourceFile) -> Bool { file.path.hasPrefix(folder) }

    static func violations(in files: [SourceFile]) -> [String] {
        let types = files.filter { $0.name.hasSuffix("Pane") }.map { (type: $0.name, pane: pane(of: $0)) }
        return files.flatMap { file in
            let others = Set(types.filter { $0.pane != pane(of: file) }.map(\.type))
            return words(in: file).filter { others.contains($0.word) }
                .map { "\(file.path):\($0.line): names \($0.word), which is another pane's" }
        }
    }

    /// The folder below `Panes`, or the file itself.
    private static func pane(of file: SourceFile) -> String {
        String(file.path.dropFirst(folder.count).prefix { $0 != "/" })
    }

    /// The identifiers outside comments.
    private static func words(in file: SourceFile) -> [(word: String, line: Int)] {
        file.text.components(separatedBy: "\n").enumerated().flatMap { index, line in
            let code = line.components(separatedBy: "//")[0]
            return code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { (String($0), index + 1) }
        }
    }
}
