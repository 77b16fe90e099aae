import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Assertions, scripts and variables of the response in files of Bruno.
@Suite struct BrunoExpectationTests {
    @Test func `assertions are expectations, or a loss with the line`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                """
                assert {
                  res.status: eq 201
                  res.body.items: length 2
                  res.body.name: Ada
                  res.body.n: gte 3
                  res.body.n: lt 9
                  res.body['a-b'][0]: eq "x"
                  res.headers['x-a']: contains b
                  res.responseTime: lt 500
                  res.body: contains hello
                  res.body.x: isTruthy
                  ~res.body.y: eq 1
                  res.body.items.length: gt 1
                  $res.body.u: isDefined
                  res.body.name: eq Eva
                  Math.random(): eq 1
                  res.body.t: eq {{t}}
                }
                """))
        let expect = try #require(request.expect)
        #expect(expect.status == [.code(201)] && expect.within == .milliseconds(500))
        #expect(expect.headers == [HeaderExpectation("x-a", [.contains("b")])])
        #expect(
            expect.body == [
                BodyExpectation("$.items", [.count(NumberComparison(.equal, 2))]),
                BodyExpectation("$.name", [.equals("Ada")]),
                BodyExpectation("$.n", [.less(.number("9")), .atLeast(.number("3"))]),
                BodyExpectation("$['a-b'][0]", [.equals("x")]), BodyExpectation(nil, [.contains("hello")]),
                BodyExpectation("$.u", [.exists(true)]),
            ])
        let lost = notes.filter { $0.kind == .loss }.map(\.position.line)
        #expect(lost == [22, 23, 24, 26, 27, 28])
    }

    @Test(
        arguments: [
            ("eq 1", [.equals(.number("1"))]), ("eq '1'", [.equals("1")]), ("eq null", [.equals(.null)]),
            ("eq 0123", [.equals("0123")]), ("eq undefined", [.exists(false)]), ("neq undefined", [.exists(true)]),
            ("neq 1", [.not(.equals(.number("1")))]), ("gt 1", [.greater(.number("1"))]), ("gt a", nil),
            ("lte 1", [.atMost(.number("1"))]),
            ("in a, b.c", [.matches("^(a|b\\.c)$")]), ("in [1, 2]", nil), ("notIn [1, 2]", nil),
            ("notIn a", [.not(.matches("^(a)$"))]), ("notMatches (", nil), ("notMatches a", [.not(.matches("a"))]),
            ("contains a", [.contains("a")]), ("notContains a", [.not(.contains("a"))]),
            ("matches /^a+$/", [.matches("^a+$")]),
            ("matches (", nil), ("startsWith a.", [.matches("^a\\.")]), ("endsWith a", [.matches("a$")]),
            ("between 1, 5", [.atMost(.number("5")), .atLeast(.number("1"))]), ("between 1", nil),
            ("isEmpty", [.count(NumberComparison(.equal, 0))]),
            ("isNotEmpty", [.count(NumberComparison(.greater, 0))]), ("isNull", [.equals(.null)]),
            ("isUndefined", [.exists(false)]), ("isDefined", [.exists(true)]), ("isTruthy", nil), ("isFalsy", nil),
            ("isNumber", [.type([.number])]), ("isString", [.type([.string])]), ("isBoolean", [.type([.boolean])]),
            ("isArray", [.type([.array])]), ("isJson", nil), ("length 3", [.count(NumberComparison(.equal, 3))]),
        ] as [(String, [ValueCondition]?)])
    func `an operator is a condition, or nothing`(text: String, conditions: [ValueCondition]?) {
        #expect(BrunoAssertion(text).conditions == conditions)
    }

    @Test(
        arguments: [
            ("eq 200", [.code(200)]), ("in [200, 201]", [.code(200), .code(201)]), ("between 200, 299", [.hundreds(2)]),
            ("eq ok", nil), ("gt 200", nil), ("between 200, 204", nil),
        ] as [(String, [StatusPattern]?)])
    func `a status is one, or one of several`(text: String, patterns: [StatusPattern]?) {
        var expectations = BrunoExpectations()
        let isTaken = expectations.add(BrunoAssertion(text), of: .status)
        #expect(isTaken == (patterns != nil))
        #expect(expectations.expect.status == patterns ?? [])
    }

    @Test func `variables of the response are captures, also disabled ones`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                """
                vars:post-response {
                  id: $res.body.items[0].id
                  @token: res.headers['x-token']
                  ~code: res.status
                  sum: res.body.a + 1
                }
                """))
        #expect(
            request.captures == [
                Capture("id", .path("$.items[0].id")), Capture("token", .header("x-token"), isSecret: true),
                Capture("code", .status, enabled: false),
            ])
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["sum"])
    }

    @Test func `the usual lines of scripts are captures and expectations, and none is run`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                """
                script:pre-request {
                  req.setHeader("X-A", "1");
                }

                script:post-response {
                  const data = res.getBody();
                  bru.setVar("id", data.user.id);
                  bru.setEnvVar("token", res.getHeader("x-token"));
                  bru.setVar("a", "b");
                }

                tests {
                  test("ok", function() {
                    expect(res.getStatus()).to.equal(200);
                    expect(res.getBody().name).to.eql("Ada");
                    expect(res.getBody()).to.equal('pong');
                  });
                }
                """))
        #expect(
            request.captures == [
                Capture("id", .path("$.user.id")), Capture("token", .header("x-token"), isSecret: true),
            ])
        let expect = try #require(request.expect)
        #expect(expect.status == [.code(200)])
        #expect(
            expect.body == [BodyExpectation("$.name", [.equals("Ada")]), BodyExpectation(nil, [.equals("pong")])])
        let losses = notes.filter { $0.kind == .loss }.map(\.message)
        #expect(losses.contains { $0.contains("1 line is left out: scripts are not run") })
        #expect(losses.contains { $0.contains("3 of 4 statements") && $0.contains("left: line 4") })
        #expect(losses.count == 2)
    }

    @Test func `of an assertion and a script that contradict each other, the assertion counts`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                "assert {\n  res.status: 404\n}\ntests {\n  test('a', () => {\n"
                    + "    expect(res.status).to.equal(200);\n  });\n}"))
        #expect(request.expect?.status == [.code(404)])
        #expect(notes.contains { $0.kind == .loss && $0.message.contains("the assertion counts") })
    }

    @Test func `several assertions on parts of a text all hold, and two values contradict each other`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                "assert {\n  res.body.s: startsWith a\n  res.body.s: endsWith z\n  res.body.s: contains b\n"
                    + "  res.body.n: eq 1\n  res.body.n: eq 2\n}"))
        #expect(
            request.expect?.body == [
                BodyExpectation("$.s", [.contains("b"), .matches("^a")]), BodyExpectation("$.s", [.matches("z$")]),
                BodyExpectation("$.n", [.equals(.number("1"))]),
            ])
        #expect(notes.count { $0.kind == .loss } == 1)
    }
}
