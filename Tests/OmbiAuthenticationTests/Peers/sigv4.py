#!/usr/bin/env python3
"""Signs requests with botocore and writes what came out as JSON: how sigv4.json beside this file is made.

    python3 sigv4.py > sigv4.json

Each case says what Ombi signs (url) and, where that is written differently, what botocore signs (judged): botocore takes
a URL for escaped already, while AWS looks at what the escapes stand for.
"""
import base64
import json
import sys

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEY = "AKIDEXAMPLE"
SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
TIME = "20150830T123600Z"
API = "https://api.example.com"
S3 = "https://bucket.s3.eu-central-1.amazonaws.com"


def case(url, method="GET", headers=(), body=b"", service="execute-api", token=None, expires=None, judged=None):
    return dict(url=url, method=method, headers=list(headers), body=body, service=service, token=token,
                expires=expires, judged=judged)


def cases():
    for path in ["", "/", "/a", "/a/", "/a/b/c", "/a//b", "//a", "/a/./b", "/a/../b", "/../a", "/a/b/..", "/a/b/../",
                 "/a%20b", "/%C3%A9t%C3%A9", "/a%2Fb", "/~user", "/-._~", "/a+b", "/a:b@c", "/(x)!*',;=$&", "/%41",
                 "/a%25b", "/%E2%98%83", "/%FF", "/...",
                 "/2015-03-31/functions/arn%3Aaws%3Alambda%3Aus-east-1%3A1%3Afunction%3Af/invocations"]:
        yield case(API + path)
    for query in ["", "a=1", "a=1&b=2", "b=2&a=1", "a=2&a=1", "a", "a=", "a&b=1", "a=%20", "a=%2B", "%C3%A9=1",
                  "a=%E2%98%83", "A=1&a=2", "a=b%3Dc", "x-y=1&x_y=2&x.y=3&x~y=4", "a=1&aa=2&a-b=3", "a=%26%3D%25",
                  "Action=ListUsers&Version=2010-05-08"]:
        yield case(API + "/p?" + query)
    yield case(API + "/p?a=x/y:z@w!$'()*,", judged=API + "/p?a=x%2Fy%3Az%40w%21%24%27%28%29%2A%2C")
    yield case(API + "/p?a=b=c&d=e?f", judged=API + "/p?a=b%3Dc&d=e%3Ff")
    yield case(API + "/p?a=x+y", judged=API + "/p?a=x%2By")
    yield case(API + "/p?a=%+1&b=%zz%", judged=API + "/p?a=%25%2B1&b=%25zz%25")
    yield case(API + "/p?%61=%7e", judged=API + "/p?a=~")
    for path in ["/", "/key", "/a/b/c.jpg", "/a//b", "//a", "/a/./b", "/a/../b", "/a%20b", "/%C3%A9t%C3%A9",
                 "/%E2%98%83", "/a%2Bb", "/a%3Ab", "/a%28b%29", "/a%25b", "/.../x", "/~a", "/a/", "/%FF%00"]:
        yield case(S3 + path, service="s3")
    yield case(S3 + "/a:b(c)!*'@$&,;=+d", service="s3", judged=S3 + "/a%3Ab%28c%29%21%2A%27%40%24%26%2C%3B%3D%2Bd")
    yield case(S3 + "/%61%7e%2d", service="s3", judged=S3 + "/a~-")
    yield case(S3 + "/?list-type=2&prefix=a/b&delimiter=/", service="s3",
               judged=S3 + "/?list-type=2&prefix=a%2Fb&delimiter=%2F")
    for query in ["acl", "uploads", "partNumber=1&uploadId=x%2By", "versionId=null", "prefix=%E2%98%83&max-keys=2"]:
        yield case(S3 + "/k?" + query, service="s3")
    yield case(S3 + "/k", "PUT", [("Content-Type", "text/plain")], b"Welcome", "s3")
    yield case(S3 + "/k", "PUT", [("x-amz-acl", "private"), ("X-Amz-Storage-Class", "STANDARD_IA")], bytes(range(256)),
               "s3", "token+/=")
    yield case(S3 + "/k", "GET", [("Range", "bytes=0-9")], service="s3")
    yield case("https://outposts.example.com/k", "DELETE", service="s3-outposts")
    yield case(API + "/", "POST", [("Content-Type", "application/x-amz-json-1.0"),
                                   ("X-Amz-Target", "DynamoDB_20120810.ListTables")], b"{}", "dynamodb")
    yield case(API + "/", "POST", [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
               b"Action=GetCallerIdentity&Version=2011-06-15", "sts", "a-session-token")
    yield case(API + "/", headers=[("My-Header1", "  a   b\t c  "), ("My-Header2", '"a   b   c"')])
    yield case(API + "/", headers=[("my-header", "value2"), ("My-Header", "value1"), ("MY-HEADER", "value2")])
    yield case(API + "/", headers=[("X-Name", "Zo\u00eb \u2603"), ("X-Empty", "")])
    yield case(API + "/", headers=[("User-Agent", "ombi/1"), ("Expect", "100-continue"), ("X-Amzn-Trace-Id", "Root=1")])
    yield case(API + "/", "POST", body="\u2603 \U0001f36a".encode())
    for method in ["HEAD", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]:
        yield case(API + "/m", method)
    for url in ["http://localhost:8000/a", "http://127.0.0.1:9000/", "https://api.example.com:443/a",
                "http://api.example.com:80/a", "https://api.example.com:8443/a", "http://api.example.com:443/"]:
        yield case(url)
    for url, service, token in [(API + "/p?x=1", "execute-api", None), (API + "/a%20b//c", "execute-api", "tok/+="),
                                (S3 + "/k", "s3", None), (S3 + "/a%20b//%E2%98%83", "s3", "tok/+="),
                                (S3 + "/k?versionId=a%2Bb", "s3", None)]:
        yield case(url, service=service, token=token, expires=900)
    yield case(S3 + "/k", "PUT", [("Content-Type", "image/png")], service="s3", expires=604800)


def sign(item):
    credentials = Credentials(KEY, SECRET, item["token"])
    is_s3 = item["service"].startswith("s3")
    request = AWSRequest(item["method"], item["judged"] or item["url"], data=item["body"])
    for name, value in item["headers"]:
        request.headers.add_header(name, value)
    request.context["timestamp"] = TIME
    names = (credentials, item["service"], "eu-central-1")
    if item["expires"]:
        auth = (S3SigV4QueryAuth if is_s3 else SigV4QueryAuth)(*names, expires=item["expires"])
    else:
        auth = (S3SigV4Auth if is_s3 else SigV4Auth)(*names)
    auth._modify_request_before_signing(request)
    text = auth.canonical_request(request)
    signature = auth.signature(auth.string_to_sign(request, text), request)
    headers = ";".join(line.split(":")[0] for line in text.split("\n")[3:] if ":" in line)
    return dict(url=item["url"], method=item["method"], headers=item["headers"], service=item["service"],
                token=item["token"], expires=item["expires"], body=base64.b64encode(item["body"]).decode(),
                signedHeaders=headers, signature=signature)


json.dump(dict(time=TIME, key=KEY, secret=SECRET, region="eu-central-1", cases=[sign(item) for item in cases()]),
          sys.stdout, indent=1)
print()
