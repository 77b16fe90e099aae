import Foundation
import Testing

/// Lists that the scripts for packages keep fit what the sources say.
@Suite struct PackagesTests {
    @Test func `every page of the manual is installed`() throws {
        let installed = try Self.text(in: "scripts/lib.sh", from: "manual_pages=(", to: ")")
            .split(whereSeparator: \.isWhitespace).map(String.init)
        let opened = try Self.text(in: "Sources/OmbiTUI/Effects/ExternalPrograms.swift", from: "let pages = [", to: "]")
            .components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(!opened.isEmpty && opened == installed)
    }

    @Test func `every package that Ombi depends on has its licence in the list of components`() throws {
        let components = try Repository.file("packaging/components.txt").lines
        let packages = try Repository.file("Package.swift").lines
            .filter { $0.contains(".package(url: \"") }
            .compactMap { $0.components(separatedBy: "\"").dropFirst().first?.components(separatedBy: "/").last }
        let missing = packages.filter { name in !components.contains { $0.hasPrefix(name.lowercased() + " | ") } }
        #expect(!packages.isEmpty && missing.isEmpty, "\(missing.joined(separator: ", "))")
    }

    @Test func `the version stands on one line, which the scripts for packages read`() throws {
        let lines = try Repository.file("Sources/OmbiTUI/Reports/Program.swift").lines.filter {
            $0.contains("static let version = \"")
        }
        #expect(lines.count == 1)
    }

    @Test func `every source that a script or a workflow names is there`() throws {
        let files =
            try Repository.files(below: ".github", ending: ".yml") + Repository.files(below: "scripts", ending: ".sh")
        let named = files.flatMap { file in
            file.text.split { !($0.isLetter || $0.isNumber || "/+._-".contains($0)) }
                .filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.map { (file.path, String($0)) }
        }
        #expect(named.contains { $0.0 == "scripts/lib-package.sh" })
        for (file, source) in named {
            #expect((try? Repository.file(source)) != nil, "\(file) names \(source)")
        }
    }

    private static func text(in path: String, from start: String, to end: String) throws -> String {
        let rest = try Repository.file(path).text.components(separatedBy: start).dropFirst().first ?? ""
        return rest.components(separatedBy: end).first ?? ""
    }
}
