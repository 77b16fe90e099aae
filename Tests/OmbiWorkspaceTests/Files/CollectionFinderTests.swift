import Testing

@testable import OmbiWorkspace

@Suite struct CollectionFinderTests {
    private let collection = "{ \"version\": 1, \"name\": \"n\", \"items\": [] }"

    @Test func `a folder gives its collections, and those in its collections folder`() throws {
        let folder = try TemporaryFolder()
        for name in ["b.json", "a.json", "collections/c.json"] { _ = try folder.file(name, collection) }
        _ = try folder.file("package.json", "{ \"version\": \"1.0\", \"name\": \"x\" }")
        _ = try folder.file("list.json", "[\"items\", \"version\"]")
        _ = try folder.file("inner.json", "{ \"a\": { \"items\": 1, \"version\": 2 }, \"b\": \"items\" }")
        _ = try folder.file("ombi.schema.json", collection)
        _ = try folder.file("notes.txt", collection)
        _ = try folder.file(".hidden.json", collection)
        _ = try folder.file("deeper/d.json", collection)
        let expected = ["a.json", "b.json", "collections/c.json"].map { folder.path + "/" + $0 }
        #expect(CollectionFinder.load([folder.path]).map(\.path) == expected)
        #expect(CollectionFinder.load([folder.path + "/"]).map(\.path) == expected)
        #expect(
            CollectionFinder.load([expected[1], folder.path]).map(\.path) == [expected[1], expected[0], expected[2]])
    }

    @Test func `the size of a folder counts what would be read`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", collection)
        _ = try folder.file("collections/b.json", collection)
        _ = try folder.file("notes.txt", collection)
        let size = collection.utf8.count
        #expect(CollectionFinder.size(of: [folder.path]) == 2 * size)
        #expect(CollectionFinder.size(of: [file, "/nowhere.json"]) == size)
    }

    @Test(arguments: ["{ \"version\": 1, \"name\": \"n\", ", "{\"version\": 1, \"items\": ["])
    func `a collection that was cut off is found, so that its error is reported`(text: String) throws {
        let folder = try TemporaryFolder()
        let broken = try folder.file("a.json", text)
        _ = try folder.file("package.json", "{ \"version\": \"1.0.0\", \"name\": \"n\", ")
        let loaded = CollectionFinder.load([folder.path])
        #expect(loaded.map(\.path) == [broken])
        #expect(loaded.first?.collection == nil && loaded.first?.problems.isEmpty == false)
    }

    @Test func `a broken file that looks like a collection is not passed over`() throws {
        let folder = try TemporaryFolder()
        let broken = try folder.file("a.json", "{ \"version\": 1, \"items\": [], }")
        _ = try folder.file("b.json", "{ \"some\": 1, }")
        #expect(CollectionFinder.load([folder.path]).map(\.path) == [broken])
    }

    @Test func `a file that is named stands for itself`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("x.txt", "hello")
        #expect(CollectionFinder.load([file, "/nowhere.json"]).map(\.path) == [file, "/nowhere.json"])
    }

    @Test func `what cannot be read is told in words`() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.file("empty.json", "")
        let cases = [
            (empty, "\(empty):1:1: error: expected a value, found an empty file"),
            (folder.path, "\(folder.path): error: it is a folder, not a file"),
            ("/nowhere.json", "/nowhere.json: error: no such file or folder"),
            ("/dev/zero", "/dev/zero: error: it is not a regular file"),
            (empty + "/x", "\(empty)/x: error: a part of the path is a file, not a folder"),
        ]
        for (path, problem) in cases {
            let loaded = CollectionFile.load(path)
            #expect(loaded.collection == nil)
            #expect(loaded.problems.map(\.description) == [problem])
        }
    }
}
