# The item service: docker build -t trousseau-api .
FROM node:24-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
COPY api/package.json api/
COPY client/package.json client/
RUN npm ci --omit=dev --workspace api --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production APP_ENV=production LISTEN_ADDRESS=0.0.0.0 DATABASE_URL=sqlite:/data/trousseau.db
WORKDIR /app
COPY --from=install /app/node_modules node_modules
COPY package.json ./
COPY api/package.json api/start.js api/
COPY api/src api/src
COPY api/emulator api/emulator
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8000}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "api/start.js"]
