import Foundation
import Testing

@testable import OmbiWorkspace

/// Folders of other tools where Ombi takes a path.
@Suite struct ImportFolderTests {
    @Test(arguments: [
        ("a.yaml", "", "a.yaml"), ("./b/../a.yaml", "", "a.yaml"), ("../a.yaml", "x/y.yaml", "a.yaml"),
        ("a.yaml", "x/y.yaml", "x/a.yaml"),
    ])
    func `a reference has its path below the folder`(reference: String, file: String, path: String) {
        #expect(ImportFolder.path(of: reference, from: file) == path)
    }

    @Test(arguments: ["../a", "x/../../a", "/a", "", ".", "..", "x/.."])
    func `a reference that leads out of the folder has none`(reference: String) {
        #expect(ImportFolder.path(of: reference, from: "b.yaml") == nil)
    }

    @Test func `a folder of another tool opens read-only, and is known by the content of its files`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for (name, text) in PostingImportTests.shop { _ = try folder.file(name, text) }
        let found = LoadedCollection.foreignFolders([folder.path + "/"], besides: [])
        #expect(found.map(\.path) == [folder.path + "/"] && found.map(\.collection) == [nil])
        let opened = try #require(found.first?.readInPlace)
        #expect(opened.collection?.requests.count == 3)
        #expect(opened.collection?.overlay.foreignFormat == "a collection of posting")
        #expect(opened.problems.contains { $0.file.hasSuffix("/users/create.posting.yaml") })
        let same = try Importer.read(folder: folder.path)
        #expect(same.isOf(opened.fingerprint))
        _ = try folder.file("users/new.posting.yaml", "name: new\nurl: https://a.test/x\n")
        let other = try Importer.read(folder: folder.path)
        #expect(!other.isOf(opened.fingerprint) && other.requestCount == 4)
    }

    @Test func `a folder of another tool that is named twice opens once`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file("a.http", "GET https://a.test/x\n")
        #expect(LoadedCollection.foreignFolders([folder.path, folder.path + "/"], besides: []).count == 1)
        let root = try folder.file("bruno.json", "{\"version\": \"1\", \"name\": \"B\", \"type\": \"collection\"}")
        for paths in [[folder.path, folder.path], [root, folder.path], [folder.path, root]] {
            #expect(CollectionFinder.load(paths).map(\.path) == [root])
        }
    }

    @Test func `a folder with collections of Ombi, and one of no tool, is none of another`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let shop = try folder.file("shop.json", "{\"version\": 1, \"name\": \"Shop\", \"items\": []}")
        #expect(LoadedCollection.foreignFolders([folder.path], besides: []).isEmpty)
        _ = try folder.file("a.posting.yaml", "name: a\nurl: https://a.test/x\n")
        let loaded = CollectionFile.load(shop)
        #expect(LoadedCollection.foreignFolders([folder.path], besides: [loaded]).isEmpty)
        #expect(LoadedCollection.foreignFolders([folder.path], besides: []).count == 1)
    }

    @Test(arguments: ["atac.toml", "atac.log"])
    func `a folder with collections of ATAC opens by another file of that program`(name: String) throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let request = #"{"name": "r", "url": "https://a.test/x", "method": "GET", "params": []}"#
        _ = try folder.file("shop.json", #"{"name": "Shop", "last_position": 1, "requests": [\#(request)]}"#)
        #expect(LoadedCollection.foreignFolders([folder.path], besides: []).isEmpty)
        _ = try folder.file(name, "")
        let found = LoadedCollection.foreignFolders([folder.path], besides: [])
        for opened in [found.first?.readInPlace, found.first?.importing] {
            #expect(opened?.collection?.requests.map(\.path) == ["/x"])
            #expect(opened?.collection?.overlay.foreignFormat == "a collection of ATAC")
        }
    }

    @Test(arguments: [
        ("a.http", "GET https://a.test/x\n", "a folder of .http files"),
        ("a.REST", "GET https://a.test/x\n", "a folder of .http files"),
        ("a.hurl", "GET https://a.test/x\nHTTP 200\n", "a folder of files of Hurl"),
        ("a.bru", "get {\n  url: https://a.test/x\n}\n", "a collection of Bruno"),
    ])
    func `a folder of files of requests opens with those below it`(name: String, text: String, title: String) throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for place in ["", "inner/"] { _ = try folder.file(place + name, text) }
        let found = LoadedCollection.foreignFolders([folder.path], besides: [])
        for opened in [found.first?.readInPlace, found.first?.importing] {
            #expect(opened?.collection?.requests.map(\.path) == ["/x", "/x"])
            #expect(opened?.collection?.overlay.foreignFormat == title)
        }
    }

    @Test func `the files of bodies in a folder that is opened start in it`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file("in/a.http", "POST https://a.test/x\n\n< ./b.txt\n")
        _ = try folder.file("in/b.txt", "text")
        let found = LoadedCollection.foreignFolders([folder.path + "/in"], besides: [])
        let opened = try #require(found.first?.readInPlace)
        #expect(opened.path == folder.path + "/in/")
        #expect(opened.collection?.requests.first?.body == .file(FileContent("./b.txt")))
        #expect(opened.documents.contains(folder.path + "/in/a.http"))
    }

    @Test func `a folder with such files only in folders below it, or hidden, opens as none`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for name in ["inner/a.http", ".a.http"] { _ = try folder.file(name, "GET https://a.test/x\n") }
        #expect(LoadedCollection.foreignFolders([folder.path], besides: []).isEmpty)
    }

    @Test func `a folder with an OpenAPI document opens as the document`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let path = try folder.file(
            "openapi.yaml", "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths: {/x: {get: {responses: {}}}}\n")
        let found = LoadedCollection.foreignFolders([folder.path], besides: [])
        #expect(found.map(\.path) == [path])
        #expect(found.first?.readInPlace.collection?.requests.count == 1)
    }

    private static let documents: [(files: [String: String], name: String?)] = [
        (["openapi.yaml": "openapi: 3.0.3", "users.yaml": "get: {}"], "openapi.yaml"),
        (["Swagger.json": "{", "other.yaml": "openapi: 3.0.3"], "Swagger.json"),
        (["shop.yml": "swagger: '2.0'", "parts.json": "{}", "read.me": "openapi: 3.0.3"], "shop.yml"),
        (["a.yaml": "openapi: 3.0.3", "b.yaml": "openapi: 3.0.3"], nil),
        (["inner/openapi.yaml": "openapi: 3.0.3"], nil),
        (["a.posting.yaml": "name: a\nurl: https://a.test/x", "openapi.yaml": "openapi: 3.0.3"], nil),
    ]

    @Test(arguments: documents)
    func `a folder may have an OpenAPI document`(files: [String: String], name: String?) throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for (name, text) in files { _ = try folder.file(name, text + "\n") }
        let path = folder.path
        #expect(Importer.document(inFolder: path) == name.map { path + "/" + $0 })
    }

    @Test func `a folder that cannot be imported has its problem`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file("a.posting.yaml", "name: [\n")
        let found = LoadedCollection.foreignFolders([folder.path], besides: [])
        let opened = try #require(found.first?.readInPlace)
        #expect(opened.collection == nil)
        #expect(opened.problems.first?.file.hasSuffix("/a.posting.yaml") == true)
    }

    @Test(arguments: [
        ("a.bru", "get {\n  url: https://a.test/x\n}\n"), ("a.posting.yaml", "name: a\nurl: https://a.test/x\n"),
        ("a.request.yaml", "$kind: http-request\nurl: https://a.test/x\n"),
    ])
    func `every format leaves out the same parts of a folder`(name: String, text: String) throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file("shop/" + name, text)
        let deep = String(repeating: "d/", count: 100)
        for place in ["other/", "shop/.git/", "shop/.cache/", "shop/node_modules/x/", "shop/" + deep] {
            _ = try folder.file(place + name, text)
        }
        let long = try folder.file("shop/long-" + name, text)
        try FileHandle(forWritingTo: URL(fileURLWithPath: long)).truncate(atOffset: 65 << 20)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/shop/link", withDestinationPath: folder.path + "/other")
        let shop = folder.path + "/shop"
        let read = try Importer.read(folder: shop)
        #expect(read.requestCount == 1)
        for reason in [
            "more than 100 folders are in each other", "symbolic links are not followed", "it is longer than 64 MiB",
        ] {
            let note = try #require(read.notes.first { $0.message == "left out: " + reason }, "\(reason)")
            #expect(note.kind == .loss && note.file?.hasPrefix(shop + "/") == true)
        }
    }

    @Test func `a file whose folder is missing is not there, and is not outside`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file("real/a.yaml", "a: 1\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/real")
        let linked = try #require(ImportFolder(folder.path + "/link"))
        do throws(ImportError) {
            _ = try linked.content("none/b.yaml")
            Issue.record("it was read")
        } catch {
            #expect(error.message == "no such file or folder")
        }
    }

    @Test func `a folder that is not there has a reason`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/none"
        do throws(ImportError) {
            _ = try Importer.read(folder: path)
            Issue.record("it was read")
        } catch {
            #expect(error.message.hasPrefix("the folder cannot be read: "))
        }
    }

    @Test func `a log of several files has the place in each`() {
        var log = ImportLog(Array("one\ntwo\n".utf8))
        let start = log.add(Array("three\nfour\n".utf8), named: "b")
        log.loss(4, "two", "")
        log.loss(start + 6, "four", "")
        #expect(log.notes.map(\.file) == [nil, "b"])
        #expect(log.notes.map(\.position.line) == [2, 2] && log.notes.map(\.position.column) == [1, 1])
        let error = log.error(start + 6, "no")
        #expect(error.file == "b" && error.line == "four" && error.position.line == 2)
    }
}
