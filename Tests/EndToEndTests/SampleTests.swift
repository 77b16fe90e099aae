import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The samples that an import makes of OpenAPI documents, judged by openapi-schema-validator.
    @Suite struct SampleTests {
        private static let python = ChildProgram.interpreter(of: "openapi-spec-validator")
        private static let judge = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Peers/sample_judge.py").path

        private static let right = """
            openapi: 3.0.3
            info: {title: Right, version: '1'}
            paths:
              /x:
                post:
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
                  responses:
                    '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
            components:
              schemas:
                Page: {type: object, required: [total], properties: {total: {type: integer, minimum: 2, multipleOf: 3}}}
                Pet:
                  type: object
                  required: [kind]
                  properties: {kind: {type: string}}
                  discriminator: {propertyName: kind}
                Cat: {allOf: [{$ref: '#/components/schemas/Pet'}], required: [lives], properties: {lives: {enum: [9]}}}
                Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}}}
                Order:
                  allOf: [{$ref: '#/components/schemas/Page'}]
                  required: [id, secret, size, price, code, tags, pet, map, node, note, inner, list]
                  properties:
                    id: {type: string, format: uuid, readOnly: true}
                    secret: {type: string, minLength: 9, writeOnly: true}
                    size: {type: string, enum: [s, m], nullable: true}
                    price: {type: number, minimum: 0.3, multipleOf: 0.25}
                    code: {type: string, pattern: '^[A-Z]{2}[0-9]{4}$'}
                    tags: {type: array, items: {type: string}, minItems: 3, uniqueItems: true}
                    pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {type: string}]}
                    map: {type: object, minProperties: 2, additionalProperties: {type: boolean}}
                    node: {$ref: '#/components/schemas/Node'}
                    note: {type: object, minProperties: 1}
                    inner: {allOf: [{$ref: '#/components/schemas/Page'}]}
                    list: {allOf: [{type: array, items: {type: integer}}, {items: {minimum: 4}}]}
            """

        private static let wrong = """
            openapi: 3.1.0
            info: {title: Wrong, version: '1'}
            paths:
              /x:
                post:
                  requestBody: {content: {application/json: {schema: {type: integer}, example: one}}}
                  responses:
                    '200':
                      description: ok
                      content:
                        application/json: {schema: {type: object, example: {a: 1}, properties: {a: {type: string}}}}
            """

        /// The documents in the folder of files that other people wrote, where it is named.
        private static let documents: [String] = {
            guard let folder = ProcessInfo.processInfo.environment["OMBI_IMPORT_SAMPLES"],
                let table = try? String(contentsOfFile: folder + "/COUNTS.tsv", encoding: .utf8)
            else { return [] }
            let rows = table.split(whereSeparator: \.isNewline).map { $0.split(separator: "\t").map(String.init) }
            // In one that is no valid document, the parts that are meant are not known.
            let paths = rows.filter { $0.count > 1 && $0[0] == "openapi" && !$0[1].contains("/invalid/") }.map { $0[1] }
            return paths.map { "\(folder)/openapi/\($0)" }
        }()

        @Test(
            .enabled(
                if: python != nil, "openapi-spec-validator is not installed: pip install openapi-spec-validator"))
        func `samples meet their schemas, or a warning says that they differ`() throws {
            let python = try #require(Self.python)
            try Scene.play { scene in
                try scene.write("right.yaml", Self.right)
                try scene.write("wrong.yaml", Self.wrong)
                let (right, wrong) = (scene.path("right.yaml"), scene.path("wrong.yaml"))
                var arguments = [Self.judge]
                var warnings: [String: String] = [:]
                for (number, document) in ([right, wrong] + Self.documents).enumerated() {
                    let imported = try scene.ombi("import", document)
                    guard imported.status == 0 else { continue }
                    try scene.write("\(number).json", imported.output)
                    arguments += [document, scene.path("\(number).json")]
                    warnings[document] = imported.errors
                }
                let judged = try scene.background(python, arguments).outcome(timeout: 120)
                #expect(judged.status == 0, "\(judged.errors)")
                let refused = try judged.json().mapValues { $0 as? [String] ?? ["none"] }
                #expect(refused[right] == [] && refused[wrong]?.count == 2, "\(judged.errors)")
                for (document, samples) in refused where !samples.isEmpty {
                    let text = warnings[document] ?? ""
                    let isNoted = ["differs from", "no finite sample", "too large"].contains { text.contains($0) }
                    #expect(isNoted, "\(document): \(samples)")
                }
            }
        }
    }
}
